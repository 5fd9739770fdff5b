"use strict";

{
    const start = ($) => {
        // --- Categories: a filter, what is chosen, and new ones

        document.querySelectorAll(".category-tree").forEach((tree) => {
            const list = tree.querySelector("ul");
            const filter = tree.querySelector("[type=search]");
            const chosen = tree.querySelector(".chosen");
            const receiver = tree.querySelector("select");
            const rows = () => [...list.querySelectorAll("li:has(input)")];
            const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

            const showChosen = () => {
                const names = rows()
                    .filter((row) => row.querySelector("input").checked)
                    .map((row) => row.querySelector("label").textContent.trim());
                chosen.textContent = names.length ? `${gettext("Chosen:")} ${names.join(", ")}` : "";
            };

            // Those that match, and the way to them.
            const narrow = () => {
                const words = fold(filter.value).split(/\s+/).filter(Boolean);
                let depth = 0;
                for (const row of rows().reverse()) {
                    const own = Number(row.dataset.depth);
                    const text = fold(row.textContent);
                    row.hidden = own >= depth && !words.every((word) => text.includes(word));
                    depth = row.hidden ? depth : own;
                }
            };

            filter.hidden = false;
            filter.addEventListener("input", narrow);
            filter.addEventListener("keydown", (event) => {
                // Not the form.
                if (event.key === "Enter") {
                    event.preventDefault();
                }
            });
            list.addEventListener("change", showChosen);
            // The window in which one is added puts it there.
            $(receiver).on("change", () => {
                for (const { value, text } of [...receiver.options]) {
                    const row = document.createElement("li");
                    row.dataset.depth = "0";
                    const label = row.appendChild(document.createElement("label"));
                    const box = label.appendChild(document.createElement("input"));
                    Object.assign(box, { type: "checkbox", name: receiver.dataset.name, value, checked: true });
                    label.append(" ", text);
                    list.append(row);
                    row.scrollIntoView({ block: "nearest" });
                }
                receiver.replaceChildren();
                showChosen();
            });
            showChosen();
        });

        // --- Tags: names that are typed

        $("select[data-typed]").each((_index, select) => {
            const select2 = $(select).data("select2");
            const container = select2.$container[0];
            let isMoved = false;

            const tagOf = (text) => {
                const name = text.split(/\s+/).filter(Boolean).join(" ");
                return name ? { id: select.dataset.typed + name, text: name, isTyped: true } : null;
            };
            select2.dataAdapter.createTag = ({ term }) => tagOf(term);
            select2.options.set("templateResult", (choice) =>
                choice.isTyped ? interpolate(gettext("New: %s"), [choice.text]) : choice.text,
            );

            const take = (field) => {
                const tag = tagOf(field.value);
                field.value = "";
                if (tag && ![...select.selectedOptions].some(({ text }) => text.toLowerCase() === tag.text.toLowerCase())) {
                    select.append(new Option(tag.text, tag.id, true, true));
                    $(select).trigger("change");
                }
                $(select).select2("close");
            };

            // What was typed, not what a list says that may not have come yet; unless somebody has gone down into it.
            container.addEventListener(
                "keydown",
                (event) => {
                    const field = event.target.closest(".select2-search__field");
                    if (["ArrowDown", "ArrowUp"].includes(event.key)) {
                        isMoved = true;
                    } else if (!["Enter", "Tab"].includes(event.key)) {
                        isMoved = false;
                    } else if (field?.value.trim() && !isMoved) {
                        if (event.key === "Enter") {
                            event.preventDefault();
                        }
                        event.stopPropagation();
                        take(field);
                    }
                },
                true,
            );
            // A name is not lost by going on with the mouse.
            document.addEventListener(
                "mousedown",
                (event) => {
                    const field = container.querySelector(".select2-search__field");
                    if (field?.value.trim() && !event.target.closest(".select2-container--open, .select2-dropdown")) {
                        take(field);
                    }
                },
                true,
            );
        });
    };

    // After the admin's own scripts: they make the controls that these go on from.
    document.addEventListener("DOMContentLoaded", () => django.jQuery(start));
}
