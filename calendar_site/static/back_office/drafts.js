"use strict";

// Warns before unsaved input of a form is lost, and stores a backup of it every few seconds.
{
    const SECOND = 1000;
    // After the last change, and at most after the first one.
    const PAUSE = 2 * SECOND;
    const MAX_PAUSE = 8 * SECOND;
    const RETRY_PAUSE = 15 * SECOND;
    const TIMEOUT = 10 * SECOND;
    // Submitting takes no longer, not even while others are writing.
    const MAX_SUBMIT_TIME = 30 * SECOND;
    // What browsers send after the page is gone.
    const MAX_KEPT_ALIVE = 60_000;

    // Inputs that are not sent with a backup: those of this script, secrets, and the template of new rows.
    const isLeftOut = (form, name) =>
        name.startsWith("_") ||
        name === "csrfmiddlewaretoken" ||
        name.includes("__prefix__") ||
        form.elements[name]?.type === "password";

    const readPairs = (form) => [...new FormData(form)].filter(([name]) => !isLeftOut(form, name));

    // A text that differs if any input has changed. Files count by their name and size.
    const takeSnapshot = (form) =>
        JSON.stringify(
            readPairs(form).map(([name, value]) => [name, value instanceof File ? [value.name, value.size] : value]),
        );

    class FormBackup {
        constructor(form, input) {
            this.form = form;
            this.input = input;
            this.status = document.querySelector(".draft-status");
            // A restored form, and one with errors, differs from the saved record from the start.
            this.wasUnsaved = "isUnsaved" in input.dataset;
            this.baseline = takeSnapshot(form);
            this.seen = this.stored = this.baseline;
            this.isTouched = false;
            this.isLeaving = false;
            this.isSignedOut = false;
            this.hasFailed = false;
            this.hasBackup = false;
            // Whether the service has just said that it would accept the form.
            this.isReachable = false;
            this.retryAt = 0;
            this.pending = null;
            if (this.wasUnsaved) {
                this.stored = "";
                this.touch();
            }
        }

        get isUnsaved() {
            return this.wasUnsaved || takeSnapshot(this.form) !== this.baseline;
        }

        // Scripts may fill in inputs until the user touches the form; that is no change.
        takeBaseline() {
            if (!this.isTouched) {
                this.baseline = this.seen = this.stored = takeSnapshot(this.form);
            }
        }

        touch() {
            if (!this.isTouched) {
                this.isTouched = true;
                this.changedAt = this.firstChangeAt = Date.now();
                setInterval(() => this.check(), SECOND);
            }
        }

        check() {
            const [snapshot, now] = [takeSnapshot(this.form), Date.now()];
            if (snapshot !== this.seen) {
                if (this.seen === this.stored) {
                    this.firstChangeAt = now;
                }
                this.seen = snapshot;
                this.changedAt = now;
                this.keepCopy();
            }
            const isDue = now - this.changedAt >= PAUSE || now - this.firstChangeAt >= MAX_PAUSE;
            if (this.seen !== this.stored && isDue && now >= this.retryAt) {
                this.store();
            }
        }

        // Keeps the inputs in this browser as well, until they are saved.
        keepCopy() {
            const snapshot = takeSnapshot(this.form);
            if (this.hasBackup && snapshot === this.stored) {
                // The backup of the service is newer.
                return;
            }
            if (this.wasUnsaved || snapshot !== this.baseline) {
                window.localCopies.store(this.input, readPairs(this.form));
            } else {
                window.localCopies.remove(this.input.value);
            }
        }

        // Stores the inputs unless that is under way, and resolves when it is done or has failed.
        store() {
            // A refused request would replace the cookie that the window for signing in needs.
            if (this.isLeaving || this.isSigningIn) {
                return Promise.resolve();
            }
            this.pending ??= this.send().finally(() => {
                this.pending = null;
            });
            return this.pending;
        }

        async send() {
            const snapshot = takeSnapshot(this.form);
            try {
                if ((this.isSignedOut || this.hasFailed) && !(await this.renewToken())) {
                    return;
                }
                if (!this.wasUnsaved && snapshot === this.baseline) {
                    await this.discard();
                } else {
                    await this.post(snapshot);
                }
            } catch {
                this.fail(gettext("Your changes cannot be backed up at the moment. Trying again…"));
            }
        }

        async post(snapshot) {
            const { url, user, model, record, revision } = this.input.dataset;
            const body = JSON.stringify({
                user,
                model,
                record,
                revision,
                _form_draft: this.input.value,
                _form_draft_replaced: this.form.elements._form_draft_replaced.value,
                fields: readPairs(this.form).filter(([, value]) => typeof value === "string"),
            });
            const response = await fetch(url, {
                method: "POST",
                headers: { "X-CSRFToken": this.form.elements.csrfmiddlewaretoken.value },
                body,
                redirect: "manual",
                keepalive: body.length < MAX_KEPT_ALIVE,
                signal: AbortSignal.timeout(TIMEOUT),
            });
            if (response.ok) {
                const { time } = await response.json();
                this.stored = snapshot;
                this.hasBackup = true;
                this.hasFailed = this.isSignedOut = false;
                this.show(interpolate(gettext("Unsaved changes. Backup: %s"), [time]));
            } else if (response.type === "opaqueredirect") {
                this.failSignedOut();
            } else if ([409, 413].includes(response.status)) {
                const { error } = await response.json();
                this.fail(`${gettext("Your changes are not backed up.")} ${error}`);
            } else {
                this.fail(gettext("Your changes cannot be backed up at the moment. Trying again…"));
            }
        }

        // All changes have been undone by hand.
        async discard() {
            if (this.hasBackup) {
                const body = new URLSearchParams({
                    csrfmiddlewaretoken: this.form.elements.csrfmiddlewaretoken.value,
                    _form_draft: this.input.value,
                });
                await fetch(this.input.dataset.discardUrl, { method: "POST", body, redirect: "manual" });
            }
            window.localCopies.remove(this.input.value);
            this.hasBackup = false;
            this.stored = this.baseline;
            this.show("");
        }

        // Asks whether the service would accept the form: "ready", "signedOut", "otherUser" or "away". Once it would, the
        // forms of the page get the token of the session, which is another one after signing in again.
        async reach() {
            try {
                const response = await fetch(this.input.dataset.url, {
                    redirect: "manual",
                    signal: AbortSignal.timeout(TIMEOUT),
                });
                if (!response.ok) {
                    return response.type === "opaqueredirect" ? "signedOut" : "away";
                }
                const { user, csrf_token: token } = await response.json();
                if (String(user) !== this.input.dataset.user) {
                    return "otherUser";
                }
                for (const field of document.getElementsByName("csrfmiddlewaretoken")) {
                    field.value = token;
                }
                return "ready";
            } catch {
                return "away";
            }
        }

        // Returns whether the same user is signed in.
        async renewToken() {
            const state = await this.reach();
            if (state === "signedOut") {
                this.failSignedOut();
            } else if (state === "otherUser") {
                this.fail(`${gettext("Your changes are not backed up.")} ${gettext("Another user has signed in.")}`);
            } else if (state === "away") {
                this.fail(gettext("Your changes cannot be backed up at the moment. Trying again…"));
            }
            return state === "ready";
        }

        failSignedOut() {
            this.isSignedOut = true;
            const link = document.createElement("a");
            Object.assign(link, {
                href: this.input.dataset.signInUrl,
                target: "_blank",
                textContent: gettext("Sign in in a new tab"),
            });
            this.fail(gettext("You are signed out, so your changes are not backed up."), link);
        }

        fail(text, ...more) {
            this.hasFailed = true;
            this.retryAt = Date.now() + RETRY_PAUSE;
            if (this.status.dataset.text !== text) {
                this.show(text, ...more);
                this.status.setAttribute("role", "alert");
                this.status.classList.add("is-error");
            }
        }

        show(text, ...more) {
            this.status.removeAttribute("role");
            this.status.classList.remove("is-error");
            this.status.dataset.text = text;
            this.status.replaceChildren(text, " ", ...more);
            this.status.hidden = !text;
        }

        // Stores what has not been stored when the page may be about to end.
        flush() {
            if (this.isTouched && !this.isLeaving && takeSnapshot(this.form) !== this.stored) {
                this.keepCopy();
                this.store();
            }
        }

        // Lets the page go without a warning, for as long as the response may take.
        leave() {
            this.isLeaving = true;
            setTimeout(() => {
                this.isLeaving = false;
            }, MAX_SUBMIT_TIME);
        }
    }

    const make = (tag, properties, ...children) => {
        const element = Object.assign(document.createElement(tag), properties);
        element.append(...children);
        return element;
    };

    const askBeforeLeaving = (backup, url) => {
        const title = make("h2", { id: "leave-title" }, gettext("Leave without saving?"));
        const text = make("p", {});
        const leave = make("button", { type: "button", className: "is-main" }, gettext("Leave"));
        const stay = make("button", { type: "button", autofocus: true }, gettext("Stay on this page"));
        const dialog = make("dialog", { className: "leave-dialog" }, title, text, make("p", {}, stay, leave));
        dialog.setAttribute("aria-labelledby", "leave-title");
        text.textContent = gettext("You can restore your changes when you open this form again.");
        stay.addEventListener("click", () => dialog.close());
        leave.addEventListener("click", async () => {
            leave.disabled = true;
            await backup.store();
            if (backup.hasFailed && dialog.dataset.isWarned !== "true") {
                dialog.dataset.isWarned = "true";
                text.textContent = gettext("Your changes cannot be backed up now. If you leave, the latest ones are lost.");
                leave.disabled = false;
                return;
            }
            backup.leave();
            location.assign(url);
        });
        dialog.addEventListener("close", () => dialog.remove());
        document.body.append(dialog);
        dialog.showModal();
    };

    const leadsAway = (event, link) =>
        link &&
        !event.defaultPrevented &&
        event.button === 0 &&
        !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
        (!link.target || link.target === "_self") &&
        !link.hasAttribute("download") &&
        /^https?:$/.test(link.protocol) &&
        !(link.hash && link.href.split("#")[0] === location.href.split("#")[0]);

    const watchLeaving = (backup) => {
        window.addEventListener("beforeunload", (event) => {
            if (!backup.isLeaving && backup.isUnsaved) {
                backup.flush();
                event.preventDefault();
                event.returnValue = true;
            }
        });
        window.addEventListener("click", (event) => {
            const link = event.target.closest?.("a[href]");
            if (!leadsAway(event, link) || backup.isLeaving || !backup.isUnsaved) {
                return;
            }
            if (link.matches("#submit-row a[href*='/delete/']")) {
                backup.leave();
                return;
            }
            event.preventDefault();
            askBeforeLeaving(backup, link.href);
        });
        backup.form.addEventListener("submit", (event) => {
            if (event.defaultPrevented) {
                return;
            }
            // Buttons with a page of their own do not save the form: the latest changes belong into the backup.
            if (event.submitter?.hasAttribute("formaction") && !backup.hasFailed) {
                backup.flush();
            }
            if (!backup.isReachable) {
                event.preventDefault();
                // Stored after the form, the backup would outlive it.
                Promise.resolve(backup.pending).then(() => window.submitWhenReachable(backup, event.submitter));
                return;
            }
            backup.leave();
        });
        for (const form of document.querySelectorAll(".draft-notice.is-restored form")) {
            form.addEventListener("submit", () => {
                form.querySelectorAll("[name=_form_draft]").forEach(({ value }) => window.localCopies.remove(value));
                backup.leave();
            });
        }
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "hidden") {
                backup.flush();
            } else {
                backup.retryAt = 0;
            }
        });
        window.addEventListener("focus", () => {
            backup.retryAt = 0;
        });
    };

    const watchChanges = (backup) => {
        document.addEventListener("focusin", () => backup.takeBaseline(), true);
        for (const type of ["pointerdown", "keydown", "beforeinput", "paste", "drop"]) {
            document.addEventListener(
                type,
                () => {
                    backup.takeBaseline();
                    backup.touch();
                },
                true,
            );
        }
        // Some browsers and assistive technologies set values without any of these.
        for (const type of ["input", "change"]) {
            backup.form.addEventListener(type, () => backup.touch(), true);
        }
    };

    // Discards a backup that is offered without opening the page again, so that what has been typed meanwhile stays.
    const discardInPlace = (form) => {
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            try {
                await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
                form.querySelectorAll("[name=_form_draft]").forEach(({ value }) => window.localCopies.remove(value));
                form.closest(".draft-notice").remove();
                document.querySelector("#content-main form [autofocus]")?.focus();
            } catch {
                form.querySelector("button").disabled = false;
            }
        });
    };

    const forgetRestoring = () => {
        const url = new URL(location.href);
        if (url.searchParams.has("_form_draft")) {
            url.searchParams.delete("_form_draft");
            history.replaceState(history.state, "", url);
        }
    };

    document.addEventListener("DOMContentLoaded", () => {
        const input = document.querySelector("input[name=_form_draft][data-url]");
        if (!input) {
            return;
        }
        forgetRestoring();
        window.localCopies.offer(input);
        document.querySelectorAll(".draft-notice:not(.is-restored) form").forEach(discardInPlace);
        // After the scripts of the admin, which fill in their widgets.
        django.jQuery(() => {
            const backup = new FormBackup(input.form, input);
            watchChanges(backup);
            watchLeaving(backup);
        });
    });
}
