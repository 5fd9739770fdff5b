"use strict";

// Unfold makes some controls of elements that only a mouse reaches, shows symbols by words that a screen reader speaks,
// and leaves select2's boxes without the names of their fields. Here they get what a button and a field have.
(() => {
    const SYMBOL = ".material-symbols-outlined";
    const FOCUSABLE = "a[href], button, input, select, textarea, summary";
    const CLICKABLE = "[x-on\\:click]";

    const symbolName = (symbol) => document.querySelector("meta[name=control-names]")?.dataset[symbol.trim()];

    const textWithoutSymbols = (part) => {
        const copy = part.cloneNode(true);
        copy.querySelectorAll(SYMBOL).forEach((symbol) => symbol.remove());
        return copy.textContent.trim();
    };

    const addName = (control) => {
        if (control.hasAttribute("aria-label") || control.title) return;
        const symbol = control.matches(SYMBOL) ? control : control.querySelector(SYMBOL);
        if (!symbol || (symbol !== control && textWithoutSymbols(control))) return;
        const name = symbolName(symbol.textContent);
        // The fields of related records have the same symbol each.
        const field = control.closest(".related-widget-wrapper")?.querySelector("select, input, textarea");
        const label = field?.labels?.[0]?.textContent.trim();
        if (name) control.setAttribute("aria-label", label ? `${name}: ${label}` : name);
    };

    const makeButton = (part) => {
        const isFocusable = part.matches(`${FOCUSABLE}, [tabindex]`) || part.querySelector(FOCUSABLE);
        if (isFocusable || !part.textContent.trim()) return;
        part.setAttribute("role", "button");
        part.tabIndex = 0;
    };

    const labelSelect2 = (select) => {
        const box = select.nextElementSibling;
        const label = select.labels?.[0];
        if (!box?.matches(".select2-container")) return;
        const name = select.getAttribute("aria-label") || label?.textContent.trim();
        const value = box.querySelector(".select2-selection--single .select2-selection__rendered");
        // What is chosen is the control's value, not a field of its own.
        for (const attribute of ["role", "aria-readonly"]) value?.removeAttribute(attribute);
        for (const part of box.querySelectorAll(".select2-selection, .select2-search__field")) {
            part.removeAttribute("aria-labelledby");
            part.setAttribute("aria-label", [name, value?.title].filter(Boolean).join(": "));
        }
    };

    const forEachMatch = (root, selector, fix) => {
        if (root.matches?.(selector)) fix(root);
        root.querySelectorAll(selector).forEach(fix);
    };

    const fix = (root) => {
        forEachMatch(root, CLICKABLE, makeButton);
        forEachMatch(root, `${FOCUSABLE}, [role=button]`, addName);
        forEachMatch(root, SYMBOL, (symbol) => symbol.matches("button, [role=button]") || symbol.setAttribute("aria-hidden", "true"));
        // The name that simplebar gives to what it scrolls is always English.
        forEachMatch(root, ".simplebar-content-wrapper", (part) => part.setAttribute("aria-label", symbolName("scrollable")));
        // Django gives this sign a name, and no role that may have one.
        forEachMatch(root, ".help-tooltip[aria-label]", (sign) => sign.setAttribute("role", "img"));
        // A list with a button among its items is none.
        forEachMatch(root, "ul.select2-selection__rendered, ul.select2-selection__rendered > li", (part) => part.setAttribute("role", "none"));
        forEachMatch(root, "select.select2-hidden-accessible", labelSelect2);
        if (root.matches?.(".select2-container")) labelSelect2(root.previousElementSibling);
    };

    // Before anything of Unfold hears of the key.
    document.addEventListener("keydown", (event) => {
        if (!["Enter", " "].includes(event.key) || !event.target.matches(`[role=button]${CLICKABLE}`)) return;
        event.preventDefault();
        event.target.click();
    });

    document.addEventListener("change", (event) => event.target.matches("select") && labelSelect2(event.target));

    document.addEventListener("DOMContentLoaded", () => {
        fix(document.body);
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) {
                for (const node of addedNodes) if (node instanceof Element) fix(node);
            }
        }).observe(document.body, { childList: true, subtree: true });
    });
})();

// Shows a text in the message of a list or calendar, with a button that calls `undo` if there is such a function. The
// message ends sooner if it offers nothing to click, and not while it is pointed at or focused. An error stays until it
// is closed.
window.showMessage = (message, text, { undo = null, isError = false } = {}) => {
    const addButton = (label, run) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
        button.addEventListener("click", run);
        message.append(" ", button);
    };
    clearTimeout(message.endTimer);
    message.replaceChildren(document.createTextNode(text));
    if (undo) addButton(message.dataset.undo, undo);
    message.classList.toggle("is-error", isError);
    message.classList.add("is-shown");
    if (isError) {
        const { close } = document.querySelector("meta[name=control-names]").dataset;
        const focused = document.activeElement;
        addButton(close, () => {
            message.classList.remove("is-shown");
            // The button that had the focus is hidden now.
            focused?.focus();
        });
        return;
    }
    const isNeeded = () => message.matches(":hover") || message.contains(document.activeElement);
    const end = () => {
        if (isNeeded()) message.endTimer = setTimeout(end, 2000);
        else message.classList.remove("is-shown");
    };
    message.endTimer = setTimeout(end, message.querySelector("button") ? 20000 : 6000);
};
