"use strict";

// The menu of a row in the list of events, and the dialog that edits its most important fields.
(() => {
    const byId = (id) => document.getElementById(id);
    const token = () => document.querySelector("input[name=csrfmiddlewaretoken]").value;
    let opener = null;

    // Submitted like a form of the page, so that the response is a page with the message.
    const post = (url) => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = url;
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name: "csrfmiddlewaretoken", value: token() });
        form.append(field);
        document.body.append(form);
        form.submit();
    };

    const showMessage = (text, undo) => {
        const message = byId("list-message");
        message.replaceChildren(document.createTextNode(text));
        if (undo) {
            const button = document.createElement("button");
            Object.assign(button, { type: "button", textContent: message.dataset.undo });
            button.addEventListener("click", () => post(undo));
            message.append(" ", button);
        }
        message.classList.remove("is-error");
        message.classList.add("is-shown");
        window.endMessage?.(message);
    };

    const urlOf = (button, action) => {
        const query = window.location.search.slice(1);
        const filters = query && `?${new URLSearchParams({ _changelist_filters: query })}`;
        return `${byId("row-menu").dataset.list}${button.dataset.row}/${action}/${filters}`;
    };

    const reload = async (pk) => {
        const page = await (await fetch(window.location.href)).text();
        const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("#result_list tbody");
        if (fresh) {
            document.querySelector("#result_list tbody").replaceWith(document.adoptNode(fresh));
        }
        document.querySelector(`.row-menu[data-row="${pk}"]`)?.focus();
    };

    const fillDialog = (html) => {
        const dialog = byId("quick-edit");
        const content = new DOMParser().parseFromString(html, "text/html").body.children;
        dialog.replaceChildren(...Array.from(content).map((part) => document.adoptNode(part)));
        django.jQuery(dialog).find(".admin-autocomplete").djangoAdminSelect2();
        if (!dialog.open) dialog.showModal();
        (dialog.querySelector(".errorlist + :is(input, select)") ?? dialog.querySelector("[name=title]")).focus();
    };

    const edit = async (button) => {
        const response = await fetch(urlOf(button, "quick-edit"));
        if (response.ok) fillDialog(await response.text());
        else showMessage(byId("list-message").dataset.lost);
    };

    const save = async (form) => {
        const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
        if (response.ok) {
            const answer = await response.json();
            byId("quick-edit").close();
            showMessage(answer.message, answer.undo);
            await reload(opener.dataset.row);
        } else if (response.status === 400) {
            fillDialog(await response.text());
        } else {
            byId("quick-edit").close();
            showMessage(byId("list-message").dataset.lost);
        }
    };

    const openMenu = (button) => {
        const menu = byId("row-menu");
        opener = button;
        for (const item of menu.children) {
            item.hidden = item.dataset.action === "view" ? !button.dataset.page : !button.dataset.can;
        }
        menu.querySelector("a").href = button.dataset.page;
        menu.showPopover();
        const box = button.getBoundingClientRect();
        const top = Math.min(box.bottom, window.innerHeight - menu.offsetHeight - 8);
        menu.style.top = `${top}px`;
        menu.style.left = `${Math.max(8, box.right - menu.offsetWidth)}px`;
        menu.querySelector(":scope > :not([hidden])")?.focus();
    };

    document.addEventListener("click", (event) => {
        const button = event.target.closest?.("button.row-menu");
        const action = event.target.closest?.("#row-menu [data-action]")?.dataset.action;
        if (button) {
            openMenu(button);
        } else if (action) {
            byId("row-menu").hidePopover();
            if (action === "quick-edit") edit(opener);
            else if (action !== "view") post(urlOf(opener, action));
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

    document.addEventListener("submit", (event) => {
        if (event.target.closest?.("#quick-edit")) {
            event.preventDefault();
            save(event.target);
        }
    });
})();
