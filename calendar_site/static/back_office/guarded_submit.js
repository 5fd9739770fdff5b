"use strict";

// Sends a form only once the service says that it would accept it, so that no click throws away what was typed.
{
    const POLL = 2000;
    const WINDOW = "popup,width=560,height=760";

    const make = (tag, properties, ...children) => {
        const element = Object.assign(document.createElement(tag), properties);
        element.append(...children);
        return element;
    };

    const submit = (backup, submitter) => {
        backup.isReachable = true;
        backup.form.requestSubmit(submitter);
        backup.isReachable = false;
    };

    // Asks the user to sign in in another window, and sends the form as soon as that is done.
    const askToSignIn = (backup, submitter) => {
        const signIn = make("button", { type: "button", className: "is-main", autofocus: true }, gettext("Sign in"));
        const close = make("button", { type: "button" }, gettext("Not now"));
        const dialog = make(
            "dialog",
            { className: "leave-dialog" },
            make("h2", { id: "sign-in-title" }, gettext("Sign in to save")),
            make(
                "p",
                {},
                gettext("You are signed out. Your input stays on this page, and is saved as soon as you have signed in."),
            ),
            make("p", {}, close, signIn),
        );
        dialog.setAttribute("aria-labelledby", "sign-in-title");
        backup.isSigningIn = true;
        let opened = null;
        let isAsking = false;
        const poll = setInterval(async () => {
            if (isAsking) {
                return;
            }
            isAsking = true;
            const state = await backup.reach();
            isAsking = false;
            if (dialog.open && state === "ready") {
                opened?.close();
                dialog.close();
                submit(backup, submitter);
            } else if (state === "otherUser") {
                dialog.close();
                backup.fail(`${gettext("Your changes are not saved.")} ${gettext("Another user has signed in.")}`);
            }
        }, POLL);
        signIn.addEventListener("click", () => {
            opened = window.open(backup.input.dataset.signInUrl, "sign-in", WINDOW);
        });
        close.addEventListener("click", () => dialog.close());
        dialog.addEventListener("close", () => {
            clearInterval(poll);
            backup.isSigningIn = false;
            dialog.remove();
        });
        document.body.append(dialog);
        dialog.showModal();
    };

    // The browser has no value for a date that is filled in only partly, and would send none.
    const findIncompleteDate = (form) =>
        [...form.elements].find((field) => /^(date|datetime-local)$/.test(field.type) && field.validity.badInput);

    const showIncomplete = (field) => {
        const id = `${field.id}_incomplete`;
        document.getElementById(id)?.remove();
        const text =
            field.type === "date" ? gettext("Enter the date completely.") : gettext("Enter the date and the time completely.");
        const error = make("p", { id, className: "hint-error" }, text);
        error.setAttribute("role", "alert");
        field.after(error);
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-errormessage", id);
        const forget = () => {
            error.remove();
            field.removeAttribute("aria-invalid");
            field.removeAttribute("aria-errormessage");
        };
        field.addEventListener("input", forget, { once: true });
        field.focus();
    };

    window.submitWhenReachable = async (backup, submitter) => {
        const field = submitter?.formNoValidate ? null : findIncompleteDate(backup.form);
        if (field) {
            showIncomplete(field);
            return;
        }
        if (backup.isAskedFor) {
            return;
        }
        backup.isAskedFor = true;
        backup.keepCopy();
        const state = await backup.reach();
        backup.isAskedFor = false;
        if (state === "ready") {
            submit(backup, submitter);
        } else if (state === "signedOut") {
            askToSignIn(backup, submitter);
        } else if (state === "otherUser") {
            backup.fail(`${gettext("Your changes are not saved.")} ${gettext("Another user has signed in.")}`);
        } else {
            backup.fail(gettext("The service does not respond, so nothing was sent. Your input stays here: try again."));
        }
    };
}
