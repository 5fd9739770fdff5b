"use strict";

// Shows the library as a grid, or as a list if the user has chosen so in this browser.
{
    const KEY = "image-library-view";
    const root = document.documentElement;
    const VIEWS = [["grid", "grid_view", "Grid"], ["list", "view_list", "List"]];

    const read = () => {
        try {
            return localStorage.getItem(KEY);
        } catch {
            // Browsers may forbid it.
            return null;
        }
    };

    const show = (view) => {
        root.dataset.imageView = view;
        for (const button of document.querySelectorAll(".image-views button")) {
            button.setAttribute("aria-pressed", String(button.value === view));
        }
    };

    // Before the page is drawn.
    show(read() === "list" ? "list" : "grid");

    document.addEventListener("DOMContentLoaded", () => {
        const list = document.querySelector("#result_list");
        if (!list) {
            return;
        }
        const group = document.createElement("div");
        group.className = "image-views";
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", gettext("Display"));
        for (const [view, icon, label] of VIEWS) {
            const button = document.createElement("button");
            Object.assign(button, { type: "button", value: view, title: gettext(label) });
            button.setAttribute("aria-label", gettext(label));
            const symbol = document.createElement("span");
            Object.assign(symbol, { className: "material-symbols-outlined", textContent: icon });
            symbol.setAttribute("aria-hidden", "true");
            button.append(symbol);
            button.addEventListener("click", () => {
                show(view);
                try {
                    localStorage.setItem(KEY, view);
                } catch {
                    // The choice holds for this page.
                }
            });
            group.append(button);
        }
        document.querySelector(".list-bar").append(group);
        show(root.dataset.imageView);
    });
}
