"use strict";

// Latin letters that Unicode does not take apart into a letter and an accent.
{
    const LATIN = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i", ħ: "h" };

    // What the service will make of a title (calendar_site/core/slugs.py), while it is typed.
    const slugify = (text, length) =>
        text
            .toLowerCase()
            .normalize("NFKD")
            .toLowerCase()
            .replace(/[ßæœøđðłþıħ]/g, (letter) => LATIN[letter])
            .replace(/([a-z])[\u0300-\u036f]+/g, "$1")
            .normalize("NFC")
            .replace(/[\s/_\u2010-\u2015-]+/g, "-")
            .replace(/[^\p{L}\p{N}\p{M}-]/gu, "")
            .replace(/-+/g, "-")
            .slice(0, length)
            .replace(/^-|-$/g, "");

    // By this name the admin's own script looks for it, as soon as the title has the focus.
    window.URLify = slugify;
}

{
    const pointer = {};
    for (const type of ["mousemove", "mousedown"]) {
        document.addEventListener(type, ({ screenX, screenY }) => Object.assign(pointer, { x: screenX, y: screenY }));
    }

    // While results are loading, the Enter key would choose one of the previous search.
    const guardResults = (select2) => {
        let isWaiting = false;
        select2.on("query", () => (isWaiting = true));
        select2.on("results:all", () => (isWaiting = false));
        const ignore = (event) => {
            if (event.key === "Enter" && isWaiting && select2.isOpen()) {
                event.preventDefault();
                event.stopImmediatePropagation();
            }
        };
        for (const part of [select2.$container[0], select2.$dropdown[0]]) {
            part.addEventListener("keydown", ignore, true);
        }
        // Results that appear below a resting mouse pointer must not become the highlighted ones.
        select2.$dropdown[0].addEventListener(
            "mouseover",
            (event) => pointer.x === event.screenX && pointer.y === event.screenY && event.stopPropagation(),
            true,
        );
    };

    // Makes search fields of the selects of records in a part of the page, once for each part.
    window.prepareRecordSelects = (root) => {
        const $ = django.jQuery;
        // A list of chosen records is sent in the order of its options: the last one chosen goes last.
        $(root).find("select[data-ordered]").on("select2:select", function (event) {
            const chosen = Array.from(this.options).find((option) => option.value === event.params.data.id);
            this.append(chosen);
            $(this).trigger("change");
        });
        // The template of a new row in a formset has this name.
        $(root).find("select.admin-autocomplete").not("[name*=__prefix__]").each((_index, field) => {
            // The script of the admin has made those that were on the page when it was loaded.
            if (!$(field).data("select2")) $(field).djangoAdminSelect2();
            guardResults($(field).data("select2"));
        });
    };
}

document.addEventListener("DOMContentLoaded", () => {
    const $ = django.jQuery;

    // After the script of the admin.
    $(() => window.prepareRecordSelects(document));

    // A filter by a record takes effect when the record is chosen; without one, the URL has no parameter.
    $(".related-record-filter select").on("change", function () {
        this.disabled = !this.value;
        this.form.requestSubmit();
    });
});

// Focuses the first error, or else the first field, as soon as the page is shown.
{
    const FOCUSABLE = "input:not([type=hidden]), textarea, select, button, a[href], [contenteditable=true], [tabindex='0']";

    const isShown = (part) => part.getClientRects().length > 0 && getComputedStyle(part).visibility !== "hidden";

    // Focuses a field, or what stands for it: a search field, an editor, the first of several boxes.
    const focusField = (id) => {
        const field = document.getElementById(id);
        const line = field?.closest(".field-line") ?? field;
        const isHidden = !field || field.matches(".select2-hidden-accessible") || !isShown(field);
        const target = isHidden ? [...(line?.querySelectorAll(FOCUSABLE) ?? [])].find((part) => part.tabIndex >= 0 && isShown(part)) : field;
        (target?.matches(FOCUSABLE) ? target : target?.querySelector(FOCUSABLE))?.focus();
    };

    const focusFirst = () => {
        const errors = document.querySelector(".error-links a");
        if (errors) {
            errors.focus();
            errors.closest(".errornote").scrollIntoView({ block: "nearest" });
        } else if (!location.hash && (document.activeElement ?? document.body) === document.body) {
            document.querySelector("#content-main form [autofocus]")?.focus();
        }
    };

    document.addEventListener("click", (event) => {
        const link = event.target.closest(".error-links a");
        if (link) {
            event.preventDefault();
            focusField(link.hash.slice(1));
        }
    });

    // Unfold hides the page until Alpine.js has started, and what is hidden takes no focus. The other scripts listen to
    // keys only once the document is loaded.
    const whenReady = (run) => {
        const events = ["alpine:initialized", "DOMContentLoaded"];
        let missing = events.length;
        for (const name of events) {
            document.addEventListener(name, () => --missing || setTimeout(run), { once: true });
        }
    };
    whenReady(focusFirst);
}

// Opens the folded fields of a form when one of them is to be corrected.
{
    const unfold = (part) => part?.closest("details.more-fields:not([open])")?.setAttribute("open", "");

    document.addEventListener("invalid", ({ target }) => unfold(target), { capture: true });
    const unfoldTarget = (hash) => unfold(document.getElementById(decodeURIComponent(hash.slice(1))));
    document.addEventListener("click", ({ target }) => unfoldTarget(target.closest?.("a[href^='#']")?.hash ?? ""));
}
