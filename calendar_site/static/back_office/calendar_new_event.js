"use strict";

// The small form of a new event. Without a connection, the whole form opens instead.
{
    const dialog = () => document.getElementById("new-event");
    let isSaving = false;

    window.openNewEvent = async (addUrl, start, end) => {
        const query = new URLSearchParams({ start, end });
        const response = await fetch(`${dialog().dataset.url}?${query}`).catch(() => null);
        if (response?.ok && !response.redirected) {
            window.fillDialog(dialog(), await response.text());
            return;
        }
        const url = new URL(addUrl, window.location.href);
        query.forEach((value, name) => url.searchParams.set(name, value));
        window.location.assign(url);
    };

    const save = async (form) => {
        const { lost, refused, signedOut } = dialog().dataset;
        try {
            const response = await window.sendDialogForm(form);
            if (response.redirected) window.showDialogError(dialog(), signedOut, window.location.href);
            else if (response.ok) window.location.reload();
            else if (response.status === 400) window.fillDialog(dialog(), await response.text());
            else window.showDialogError(dialog(), response.status < 500 ? refused : lost);
        } catch {
            window.showDialogError(dialog(), lost);
        }
    };

    document.addEventListener("submit", async (event) => {
        if (!event.target.closest?.("#new-event")) return;
        event.preventDefault();
        // A second click would add a second event.
        if (isSaving) return;
        isSaving = true;
        await save(event.target);
        isSaving = false;
    });

    document.addEventListener("click", ({ target }) => {
        if (target.closest?.("#new-event [data-close]")) dialog().close();
        const more = target.closest?.("#new-event [data-more]");
        if (!more) return;
        // The whole form continues with what was entered.
        const fields = new FormData(more.closest("form"));
        const url = new URL(more.href);
        for (const name of ["title", "start", "end"]) url.searchParams.set(name, fields.get(name));
        if (fields.getAll("venues").length) url.searchParams.set("ordered_venues", fields.getAll("venues").join(","));
        more.href = url;
    });
}
