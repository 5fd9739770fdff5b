"use strict";

// The command palette: Ctrl+K or Cmd+K opens it on every page.
(() => {
    const palette = () => document.getElementById("palette");
    const options = () => [...palette().querySelectorAll("[role=option]")];
    let pending = null;
    let timer = null;
    // Whether the results are those of an earlier search.
    let isWaiting = false;
    // Whether Enter was pressed meanwhile, which opens the first result.
    let isEntered = false;

    const choose = (option) => {
        for (const one of options()) one.setAttribute("aria-selected", one === option ? "true" : "false");
        palette().querySelector("input").setAttribute("aria-activedescendant", option?.id ?? "");
        option?.scrollIntoView({ block: "nearest" });
    };

    const chosen = () => options().find((option) => option.getAttribute("aria-selected") === "true");

    const part = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });

    const show = (results) => {
        isWaiting = false;
        const list = palette().querySelector("[role=listbox]");
        list.replaceChildren(
            ...results.map((result, number) => {
                const link = document.createElement("a");
                Object.assign(link, { href: result.url, id: `palette-${number}`, tabIndex: -1 });
                link.setAttribute("role", "option");
                link.append(
                    part("span", "material-symbols-outlined", result.icon),
                    part("span", "palette-title", result.title),
                    part("span", "palette-detail", result.detail),
                );
                return link;
            }),
        );
        palette().querySelector("[role=status]").hidden = results.length > 0;
        choose(options()[0]);
        if (isEntered && palette().open) chosen()?.click();
        isEntered = false;
    };

    const search = async () => {
        pending?.abort();
        pending = new AbortController();
        const { signal } = pending;
        const query = new URLSearchParams({ s: palette().querySelector("input").value });
        try {
            const response = await fetch(`${palette().dataset.url}?${query}`, { signal });
            if (response.ok) show((await response.json()).results);
        } catch (error) {
            if (!signal.aborted) throw error;
        }
    };

    const open = () => {
        const input = palette().querySelector("input");
        input.value = "";
        isWaiting = true;
        isEntered = false;
        palette().showModal();
        search();
    };

    document.addEventListener("keydown", (event) => {
        // The editor of descriptions uses Ctrl+K for links.
        if (!palette() || event.defaultPrevented) return;
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
            event.preventDefault();
            if (palette().open) palette().close();
            else open();
        } else if (palette().open && ["ArrowDown", "ArrowUp"].includes(event.key)) {
            event.preventDefault();
            const all = options();
            const step = event.key === "ArrowDown" ? 1 : -1;
            choose(all[(all.indexOf(chosen()) + step + all.length) % all.length]);
        } else if (palette().open && event.key === "Enter") {
            event.preventDefault();
            if (event.isComposing) return;
            if (isWaiting) isEntered = true;
            else chosen()?.click();
        }
    });

    document.addEventListener("input", (event) => {
        if (event.target.closest?.("#palette")) {
            isWaiting = true;
            isEntered = false;
            // Results of what was typed before must not be taken for those of what is typed now.
            pending?.abort();
            clearTimeout(timer);
            timer = setTimeout(search, 150);
        }
    });

    document.addEventListener("click", (event) => {
        if (event.target === palette()) palette().close();
        if (event.target.closest?.("[data-opens=palette]")) open();
    });
})();
