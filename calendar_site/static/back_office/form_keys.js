"use strict";

// The keyboard in forms: Ctrl+S saves, Ctrl+Enter does what the first button says, and Enter alone sends nothing.
{
    const IS_MAC = /mac/i.test(navigator.userAgentData?.platform ?? navigator.platform);
    const MODIFIER = IS_MAC ? "⌘" : gettext("Ctrl");
    // Enter means something of its own in these.
    const WITH_ENTER = "textarea, button, select, a, [contenteditable=true], [type=checkbox], [type=file], [role=combobox]";

    const buttons = () => ({
        first: document.querySelector(".save-buttons > button[type=submit][name]"),
        saving: document.querySelector(".save-buttons button[name=_continue]"),
    });

    const show = (button, key) => {
        button?.setAttribute("data-keys", `${MODIFIER}+${key === "Enter" ? "⏎" : key}`);
        button?.setAttribute("aria-keyshortcuts", `${IS_MAC ? "Meta" : "Control"}+${key}`);
    };

    const press = (event, button) => {
        event.preventDefault();
        // The value of the focused field counts, also for scripts that wait until it is left.
        document.activeElement?.dispatchEvent(new Event("change", { bubbles: true }));
        button.click();
    };

    document.addEventListener("DOMContentLoaded", () => {
        const { first, saving } = buttons();
        if (!first) {
            return;
        }
        show(first, "Enter");
        show(saving, "S");
        document.addEventListener("keydown", (event) => {
            const isModified = event.ctrlKey || event.metaKey;
            if (event.defaultPrevented || event.altKey || event.shiftKey || document.querySelector("dialog[open]")) {
                return;
            }
            if (isModified && event.key === "Enter") {
                press(event, first);
            } else if (isModified && event.key.toLowerCase() === "s") {
                press(event, saving ?? first);
            } else if (event.key === "Enter" && event.target.form === first.form && !event.target.matches(WITH_ENTER)) {
                event.preventDefault();
            }
        });
    });
}
