"use strict";

// Sends the form of a dialog, which stays open with what was entered until the service has saved it.
{
    // The token of a form is refused after another sign-in.
    const renewToken = async (form) => {
        const response = await fetch(form.action);
        if (response.redirected || !response.ok) return response;
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const { value } = page.querySelector("input[name=csrfmiddlewaretoken]");
        document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((input) => { input.value = value; });
        return null;
    };

    // Resolves to the response. Rejects if the server did not respond.
    window.sendDialogForm = async (form) => {
        const attempt = () => fetch(form.action, { method: "POST", body: new FormData(form) });
        const response = await attempt();
        if (response.status !== 403) return response;
        return (await renewToken(form)) ?? attempt();
    };

    window.showDialogError = (dialog, text, signInUrl) => {
        const error = dialog.querySelector(".quick-edit-error");
        error.replaceChildren(document.createTextNode(text));
        if (!signInUrl) return;
        const link = { href: signInUrl, target: "_blank", rel: "noopener", textContent: dialog.dataset.signIn };
        error.append(" ", Object.assign(document.createElement("a"), link));
    };

    window.fillDialog = (dialog, html) => {
        const content = new DOMParser().parseFromString(html, "text/html").body.children;
        dialog.replaceChildren(...Array.from(content).map((part) => document.adoptNode(part)));
        window.prepareRecordSelects(dialog);
        if (!dialog.open) dialog.showModal();
        const invalid = dialog.querySelector(".plain-field:has(.errorlist) :is(input, select)");
        (invalid ?? dialog.querySelector(".plain-field :is(input, select)")).focus();
    };
}
