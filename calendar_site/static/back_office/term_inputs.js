"use strict";

{
    const start = ($) => {
        // --- Categories: a filter, what is chosen, and new ones

        document.querySelectorAll(".category-tree").forEach((tree) => {
            const list = tree.querySelector("ul");
            const filter = tree.querySelector("[type=search]");
            const chosen = tree.querySelector(".chosen");
            const popupTarget = tree.querySelector("select");
            const rows = () => [...list.querySelectorAll("li:has(input)")];
            const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

            const showChosen = () => {
                const names = rows()
                    .filter((row) => row.querySelector("input").checked)
                    .map((row) => row.querySelector("label").textContent.trim());
                chosen.textContent = names.length ? `${gettext("Selected:")} ${names.join(", ")}` : "";
            };

            // Shows the rows that match, with their ancestors.
            const applyFilter = () => {
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
            filter.addEventListener("input", applyFilter);
            filter.addEventListener("keydown", (event) => {
                // Not the form.
                if (event.key === "Enter") {
                    event.preventDefault();
                }
            });
            list.addEventListener("change", showChosen);
            // The popup in which a category is added puts it there.
            $(popupTarget).on("change", () => {
                for (const { value, text } of [...popupTarget.options]) {
                    const row = document.createElement("li");
                    row.dataset.depth = "0";
                    const label = row.appendChild(document.createElement("label"));
                    const box = label.appendChild(document.createElement("input"));
                    Object.assign(box, { type: "checkbox", name: popupTarget.dataset.name, value, checked: true });
                    label.append(" ", text);
                    list.append(row);
                    row.scrollIntoView({ block: "nearest" });
                }
                popupTarget.replaceChildren();
                showChosen();
            });
            showChosen();
        });

        // --- Tags: typed names

        $("select[data-typed]").each((_index, select) => {
            const select2 = $(select).data("select2");

            const tagOf = (text) => {
                const name = text.split(/\s+/).filter(Boolean).join(" ");
                return name ? { id: select.dataset.typed + name, text: name, isTyped: true } : null;
            };
            select2.dataAdapter.createTag = ({ term }) => tagOf(term);
            select2.options.set("templateResult", (choice) =>
                choice.isTyped ? interpolate(gettext("New tag: %s"), [choice.text]) : choice.text,
            );

            // Existing tags come first, so that the Enter key never creates one if another tag is found.
            select2.dataAdapter.insertTag = (results, tag) => results.push(tag);
        });
    };

    // After the scripts of the admin, which create the widgets that these extend.
    document.addEventListener("DOMContentLoaded", () => django.jQuery(start));
}
