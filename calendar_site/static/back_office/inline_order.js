"use strict";

// Changes the order of related records with the arrow keys; the mouse drags them.
document.addEventListener("keydown", (event) => {
    const handle = event.target.closest?.("button.inline-order");
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!handle || !step) return;
    event.preventDefault();
    const list = handle.closest("[data-ordering-field]");
    const rows = [...list.querySelectorAll(":scope .form-group.original")];
    const row = handle.closest(".form-group");
    const other = rows[rows.indexOf(row) + step];
    if (!other) return;
    if (step < 0) other.before(row);
    else other.after(row);
    // Unfold's own function, which also runs after dragging.
    window.sortRecords({ from: list });
    row.querySelector("input").dispatchEvent(new Event("input", { bubbles: true }));
    handle.focus();
});
