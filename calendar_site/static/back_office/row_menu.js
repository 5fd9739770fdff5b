"use strict";

// The menu of a row in a list, and the dialog that edits its most important fields.
(() => {
    const byId = (id) => document.getElementById(id);
    const token = () => document.querySelector("input[name=csrfmiddlewaretoken]");
    let opener = null;
    let isSaving = false;

    const element = (tag, properties) => Object.assign(document.createElement(tag), properties);

    // Submitted like a form of the page, so that the response is a page with the message.
    const post = (url) => {
        const form = element("form", { method: "post", action: url });
        for (const [name, value] of [["csrfmiddlewaretoken", token().value], ["back", "list"]]) {
            form.append(element("input", { type: "hidden", name, value }));
        }
        document.body.append(form);
        form.submit();
    };

    const showMessage = (text, options) => window.showMessage(byId("list-message"), text, options);

    const urlOf = (button, action) => {
        const query = window.location.search.slice(1);
        const filters = query && `?${new URLSearchParams({ _changelist_filters: query })}`;
        return `${byId("row-menu").dataset.list}${button.dataset.row}/${action}/${filters}`;
    };

    const buttonOfRow = (pk) => document.querySelector(`button.row-menu[data-row="${CSS.escape(pk)}"]`);

    const reload = async (pk) => {
        const response = await fetch(window.location.href);
        if (response.redirected || !response.ok) return;
        const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("#result_list tbody");
        if (fresh) document.querySelector("#result_list tbody").replaceWith(document.adoptNode(fresh));
        // The row may no longer match the filters.
        (buttonOfRow(pk) ?? byId("searchbar") ?? byId("main-content"))?.focus();
    };

    const edit = async (button) => {
        const { lost, signedOut, refused } = byId("quick-edit").dataset;
        try {
            const response = await fetch(urlOf(button, "quick-edit"));
            if (response.redirected) showMessage(signedOut, { isError: true });
            else if (response.ok) window.fillDialog(byId("quick-edit"), await response.text());
            else showMessage(response.status < 500 ? refused : lost, { isError: true });
        } catch {
            showMessage(byId("list-message").dataset.lost, { isError: true });
        }
    };

    const showError = (text, signInUrl) => window.showDialogError(byId("quick-edit"), text, signInUrl);

    const save = async (form) => {
        const dialog = byId("quick-edit");
        try {
            const response = await window.sendDialogForm(form);
            if (response.redirected) {
                showError(dialog.dataset.signedOut, window.location.href);
            } else if (response.ok) {
                const answer = await response.json();
                const { row } = opener.dataset;
                dialog.close();
                const text = [answer.message, ...answer.warnings].join(" ");
                showMessage(text, { undo: answer.undo && (() => post(answer.undo)) });
                await reload(row);
            } else if (response.status === 400) {
                window.fillDialog(byId("quick-edit"), await response.text());
            } else {
                showError(response.status < 500 ? dialog.dataset.refused : dialog.dataset.lost);
            }
        } catch {
            if (dialog.open) showError(dialog.dataset.lost);
        }
    };

    const openMenu = (button) => {
        const menu = byId("row-menu");
        const allowed = [...button.dataset.can.split(" "), button.dataset.page && "view"];
        opener = button;
        for (const item of menu.children) {
            const { action } = item.dataset;
            item.hidden = !allowed.includes(action);
            if (item.matches("a")) item.href = action === "view" ? button.dataset.page : urlOf(button, action);
        }
        menu.showPopover();
        const box = button.getBoundingClientRect();
        const top = Math.min(box.bottom, window.innerHeight - menu.offsetHeight - 8);
        menu.style.top = `${top}px`;
        menu.style.left = `${Math.max(8, box.right - menu.offsetWidth)}px`;
        menu.querySelector(":scope > :not([hidden])")?.focus();
    };

    document.addEventListener("click", (event) => {
        const button = event.target.closest?.("button.row-menu");
        const item = event.target.closest?.("#row-menu [data-action]");
        if (button) {
            openMenu(button);
        } else if (item) {
            byId("row-menu").hidePopover();
            if (item.dataset.action === "quick-edit") edit(opener);
            else if (item.matches("button")) post(urlOf(opener, item.dataset.action));
        } else if (event.target.closest?.("#quick-edit [data-close]")) {
            byId("quick-edit").close();
        }
    });

    document.addEventListener("keydown", (event) => {
        const items = [...document.querySelectorAll("#row-menu > :not([hidden])")];
        const place = items.indexOf(document.activeElement);
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (place >= 0 && step) {
            event.preventDefault();
            items[(place + step + items.length) % items.length].focus();
        }
    });

    document.addEventListener("submit", async (event) => {
        if (!event.target.closest?.("#quick-edit")) return;
        event.preventDefault();
        // A second click would send what the first one has saved.
        if (isSaving) return;
        isSaving = true;
        const button = event.target.querySelector("[type=submit]");
        button.setAttribute("aria-disabled", "true");
        await save(event.target);
        button.removeAttribute("aria-disabled");
        isSaving = false;
    });

    // Focus goes back to the row when the dialog closes.
    byId("quick-edit").addEventListener("close", () => opener && buttonOfRow(opener.dataset.row)?.focus());
})();
