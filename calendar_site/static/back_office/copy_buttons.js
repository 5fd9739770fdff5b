"use strict";

// Buttons that copy a text, where the browser lets a page copy (only over HTTPS, or on the same computer).
document.addEventListener("DOMContentLoaded", () => {
    if (!navigator.clipboard) {
        return;
    }
    for (const button of document.querySelectorAll("[data-copy]")) {
        button.hidden = false;
        button.addEventListener("click", async () => {
            await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
            const said = button.textContent;
            button.textContent = button.dataset.copied;
            setTimeout(() => {
                button.textContent = said;
            }, 2000);
        });
    }
});
