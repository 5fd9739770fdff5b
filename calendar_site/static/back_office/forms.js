"use strict";

// Latin letters that Unicode does not take apart into a letter and an accent.
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

document.addEventListener("DOMContentLoaded", () => {
    const $ = django.jQuery;

    // By this name the admin's own script looks for it.
    window.URLify = slugify;

    // A list of chosen records is sent in the order of its options: the last one chosen goes last.
    $("select[data-ordered]").on("select2:select", function (event) {
        const chosen = Array.from(this.options).find((option) => option.value === event.params.data.id);
        this.append(chosen);
        $(this).trigger("change");
    });

    // A filter by a record takes effect when the record is chosen; none leaves no trace in the address.
    $(".related-record-filter select").on("change", function () {
        this.disabled = !this.value;
        this.form.requestSubmit();
    });
});
