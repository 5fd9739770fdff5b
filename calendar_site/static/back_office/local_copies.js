"use strict";

// Copies of unsaved forms in the storage of this browser: for a day, and for the user who has filled them in. They survive
// a service that is away and a session that has ended.
{
    const PREFIX = "form-copy:";
    const MAX_AGE = 24 * 60 * 60 * 1000;
    const COOKIE = /(?:^|; )saved_forms=([0-9a-f.]*)/;
    const TITLES = ["title", "name", "label"];

    const read = (key) => {
        try {
            return JSON.parse(localStorage.getItem(key));
        } catch {
            return null;
        }
    };

    const keys = () => {
        try {
            return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
        } catch {
            // The browser does not let pages store anything.
            return [];
        }
    };

    const remove = (token) => keys().filter((key) => key === PREFIX + token).forEach((key) => localStorage.removeItem(key));

    const store = (input, pairs) => {
        const { user, model, record, revision, leftOut } = input.dataset;
        const secret = leftOut.split(" ").flatMap((name) => [name, `initial-${name}`]);
        const fields = pairs.filter(([name, value]) => typeof value === "string" && !secret.includes(name));
        const title = TITLES.map((name) => input.form.elements[name]?.value?.trim()).find(Boolean) ?? "";
        const copy = { user, model, record, revision, title, fields, time: Date.now() };
        try {
            localStorage.setItem(PREFIX + input.value, JSON.stringify(copy));
        } catch {
            // There is no room; the backup of the service remains.
        }
    };

    const removeSaved = () => {
        const [, tokens] = COOKIE.exec(document.cookie) ?? ["", ""];
        tokens.split(".").filter(Boolean).forEach(remove);
        for (const key of keys()) {
            if (!(read(key)?.time > Date.now() - MAX_AGE)) {
                localStorage.removeItem(key);
            }
        }
    };

    const make = (tag, properties, ...children) => {
        const element = Object.assign(document.createElement(tag), properties);
        element.append(...children);
        return element;
    };

    // Sends the copy to the service, as a backup, and opens the form with it.
    const restore = async (input, token, copy) => {
        const { user, model, record, revision, fields } = copy;
        const body = { user, model, record, revision, fields, _form_draft: token, _form_draft_replaced: "" };
        const response = await fetch(input.dataset.url, {
            method: "POST",
            headers: { "X-CSRFToken": input.form.elements.csrfmiddlewaretoken.value },
            body: JSON.stringify(body),
            redirect: "manual",
        });
        if (!response.ok) {
            throw new Error(`status ${response.status}`);
        }
        const url = new URL(location.href);
        url.searchParams.set("_form_draft", token);
        location.assign(url);
    };

    const notice = (input, token, copy) => {
        const time = new Date(copy.time).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
        const text = copy.title
            ? interpolate(gettext("This browser has kept input that was not saved: “%s”, %s."), [copy.title, time])
            : interpolate(gettext("This browser has kept input that was not saved: %s."), [time]);
        const sentence = make("p", {}, text);
        const restoring = make("button", { type: "button" }, gettext("Restore"));
        const discarding = make("button", { type: "button" }, gettext("Discard"));
        const section = make("section", { className: "draft-notice" }, sentence, make("div", {}, restoring, discarding));
        section.setAttribute("aria-label", gettext("Unsaved changes"));
        restoring.addEventListener("click", async () => {
            restoring.disabled = true;
            try {
                await restore(input, token, copy);
            } catch {
                restoring.disabled = false;
                sentence.textContent = gettext("The service does not respond. Try again in a moment.");
            }
        });
        discarding.addEventListener("click", () => {
            remove(token);
            section.remove();
        });
        return section;
    };

    // Offers the copies of this form that the service has no backup of, or an older one.
    const offer = (input) => {
        removeSaved();
        const { user, model, record } = input.dataset;
        const restored = input.form.elements._form_draft_replaced.value;
        for (const key of keys()) {
            const [token, copy] = [key.slice(PREFIX.length), read(key)];
            const isOwn = [input.value, restored].includes(token);
            if (!isOwn && copy.user === user && copy.model === model && copy.record === record) {
                const backup = document.querySelector(`.draft-notice input[name=_form_draft][value="${token}"]`);
                if (Number(backup?.dataset.savedAt) >= copy.time) {
                    continue;
                }
                const section = notice(input, token, copy);
                if (backup) {
                    backup.closest(".draft-notice").replaceWith(section);
                } else {
                    input.form.before(section);
                }
            }
        }
    };

    window.localCopies = { store, remove, offer };
}
