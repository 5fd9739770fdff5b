"use strict";

// The dialog that chooses an image of the library or uploads one, for images of records and for descriptions.
{
    const PAUSE = 250;

    const fetchText = async (url, query = {}, signal = undefined) => {
        const response = await fetch(`${url}?${new URLSearchParams(query)}`, { signal });
        if (!response.ok) {
            throw new Error(response.statusText);
        }
        return response.text();
    };

    const showError = (element, text) => {
        element.textContent = text;
        element.hidden = !text;
    };

    // Moves the focus in the grid with the arrow keys.
    const addArrowKeys = (grid) => {
        grid.addEventListener("keydown", (event) => {
            const buttons = [...grid.querySelectorAll("button")];
            const place = buttons.indexOf(document.activeElement);
            const top = buttons[0]?.offsetTop;
            const columns = Math.max(1, buttons.filter((button) => button.offsetTop === top).length);
            const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
            const next = buttons[place + (steps[event.key] ?? NaN)];
            if (place >= 0 && next) {
                event.preventDefault();
                next.focus();
            }
        });
    };

    // Shows the images that match the search, and further pages of them.
    const showImages = (dialog, url, choose) => {
        const grid = dialog.querySelector(".image-grid");
        const search = dialog.querySelector("[type=search]");
        const status = dialog.querySelector("[role=status]");
        let pending;
        let pause;
        const load = async (page) => {
            pending?.abort();
            pending = new AbortController();
            grid.setAttribute("aria-busy", "true");
            try {
                const items = await fetchText(url, { q: search.value, page }, pending.signal);
                grid.querySelector(".more")?.remove();
                const before = page === 1 ? 0 : grid.children.length;
                if (page === 1) {
                    grid.replaceChildren();
                }
                grid.insertAdjacentHTML("beforeend", items);
                status.textContent = grid.children.length ? "" : status.dataset.empty;
                if (page > 1) {
                    grid.children[before]?.querySelector("button").focus();
                }
            } catch (error) {
                if (error.name === "AbortError") {
                    return;
                }
                status.textContent = gettext("Could not be loaded. Try again.");
            }
            grid.removeAttribute("aria-busy");
        };
        search.addEventListener("input", () => {
            clearTimeout(pause);
            pause = setTimeout(() => load(1), PAUSE);
        });
        search.addEventListener("keydown", (event) => {
            if (event.key === "Enter") {
                event.preventDefault();
                clearTimeout(pause);
                load(1);
            }
        });
        grid.addEventListener("click", ({ target }) => {
            const { image, page } = target.closest("button")?.dataset ?? {};
            if (image) {
                choose(JSON.parse(image));
            } else if (page) {
                load(Number(page));
            }
        });
        addArrowKeys(grid);
    };

    // Uploads an image with its alternative text, and chooses it.
    const addUpload = (form, choose) => {
        const { images, alt, decorative } = form.elements;
        const error = form.querySelector("[role=alert]");
        const button = form.querySelector("[type=submit]");
        // Unfold would write the name of the file into the next text field.
        images.hasChangeListener = true;
        decorative.addEventListener("change", () => {
            alt.disabled = decorative.checked;
        });
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            if (button.disabled) {
                return;
            }
            button.disabled = true;
            showError(error, "");
            try {
                const body = new FormData(form);
                const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
                if (response.status === 413) {
                    showError(error, images.dataset.tooLarge);
                } else {
                    const { results } = await response.json();
                    const stored = results.find((result) => result.image);
                    if (stored) {
                        choose(stored.image);
                    }
                    showError(error, results.filter((result) => !result.image).map(({ text }) => text).join(" "));
                }
            } catch {
                showError(error, images.dataset.failed);
            }
            button.disabled = false;
        });
    };

    // Resolves to the data of the chosen image, or to null.
    window.chooseImage = (url) =>
        new Promise((resolve) => {
            const opener = document.activeElement;
            const dialog = document.createElement("dialog");
            let chosen = null;
            const choose = (image) => {
                chosen = image;
                dialog.close();
            };
            dialog.className = "image-dialog";
            dialog.setAttribute("aria-labelledby", "image-dialog-title");
            dialog.addEventListener("click", ({ target }) => {
                if (target === dialog || target.closest(".image-dialog-close")) {
                    dialog.close();
                }
            });
            // Neither the form below nor its warning about unsaved changes hears of the fields in the dialog.
            for (const type of ["input", "change", "submit"]) {
                dialog.addEventListener(type, (event) => event.stopPropagation());
            }
            dialog.addEventListener("close", () => {
                dialog.remove();
                opener?.focus();
                resolve(chosen);
            });
            document.body.append(dialog);
            dialog.showModal();
            fetchText(url)
                .then((html) => {
                    dialog.innerHTML = html;
                    showImages(dialog, url, choose);
                    const form = dialog.querySelector("form");
                    if (form) {
                        addUpload(form, choose);
                    }
                    dialog.querySelector("[type=search]").focus();
                })
                .catch(() => {
                    const text = document.createElement("p");
                    text.setAttribute("role", "alert");
                    text.textContent = gettext("Could not be loaded. Try again.");
                    dialog.replaceChildren(text);
                });
        });
}
