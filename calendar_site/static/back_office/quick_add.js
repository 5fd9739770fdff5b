"use strict";

// Adds records that a search did not find, in a dialog on the same page.
{
    const PREFIX = "create:";

    const createOption = (term) => {
        const name = term.trim().replace(/\s+/g, " ");
        const text = name ? interpolate(gettext("Create “%s”"), [name]) : gettext("Create new…");
        return { id: PREFIX + name, text, isNew: true, name };
    };

    // Offers a new record below the results of the first page.
    const offerNew = (select2) => {
        const adapter = select2.dataAdapter;
        const search = adapter.query.bind(adapter);
        adapter.query = (params, callback) =>
            search(params, (data) => {
                const isFirst = (params.page ?? 1) === 1;
                callback(isFirst ? { ...data, results: [...data.results, createOption(params.term ?? "")] } : data);
            });
    };

    const select = (field, { id, text }) => {
        field.append(new Option(text, id, true, true));
        django.jQuery(field).trigger("change");
    };

    // Shows the warnings about the record that was added last, below the field.
    const showWarnings = (field, warnings) => {
        const container = django.jQuery(field).data("select2").$container[0];
        container.parentElement.querySelector(".quick-add-warnings")?.remove();
        const note = document.createElement("p");
        note.className = "quick-add-warnings";
        note.setAttribute("role", "status");
        container.after(note);
        // Screen readers announce only changes of an element that exists.
        note.textContent = warnings.join(" ");
    };

    const openDialog = async (field, name) => {
        const dialog = document.createElement("dialog");
        dialog.className = "quick-add";
        dialog.setAttribute("aria-labelledby", "quick-add-title");
        const show = (html) => {
            dialog.innerHTML = html;
            const first = dialog.querySelector("[aria-invalid=true], .errors input, [name=title]");
            first?.focus();
            first?.setSelectionRange?.(first.value.length, first.value.length);
        };
        const fail = () => {
            const error = dialog.querySelector(".quick-add-error") ?? document.createElement("p");
            error.className = "quick-add-error";
            error.setAttribute("role", "alert");
            error.textContent = gettext("Could not be loaded. Try again.");
            dialog.append(error);
        };
        dialog.addEventListener("click", (event) => {
            if (event.target === dialog || event.target.closest("[name=_cancel]")) {
                event.preventDefault();
                dialog.close();
            }
        });
        dialog.addEventListener("submit", async (event) => {
            event.preventDefault();
            const form = event.target;
            const button = form.querySelector("[type=submit]");
            button.disabled = true;
            try {
                const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
                const answer = await response.json();
                if (answer.form) {
                    show(answer.form);
                } else {
                    select(field, answer);
                    showWarnings(field, answer.warnings);
                    dialog.close();
                }
            } catch {
                button.disabled = false;
                fail();
            }
        });
        dialog.addEventListener("close", () => {
            dialog.remove();
            django.jQuery(field).data("select2").$container[0].querySelector(".select2-search__field")?.focus();
        });
        document.body.append(dialog);
        dialog.showModal();
        try {
            const response = await fetch(`${field.dataset.quickAdd}?${new URLSearchParams({ title: name })}`);
            if (!response.ok) throw new Error(response.statusText);
            show(await response.text());
        } catch {
            fail();
        }
    };

    const start = ($) => {
        $("select[data-quick-add]").each((_index, field) => {
            offerNew($(field).data("select2"));
            $(field).on("select2:selecting", (event) => {
                const { data } = event.params.args;
                if (data.isNew) {
                    event.preventDefault();
                    $(field).select2("close");
                    openDialog(field, data.name);
                }
            });
        });
    };

    // After the script of the admin, which creates the selects.
    document.addEventListener("DOMContentLoaded", () => django.jQuery(start));
}
