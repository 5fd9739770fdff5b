"use strict";

// Moves events: by dragging them to another day, by the dialog behind their button, and by the arrow keys with Alt.
// The time grid and the pop-over use `window.calendarPage`.
document.addEventListener("DOMContentLoaded", () => {
    const message = document.getElementById("calendar-message");
    const dialog = document.getElementById("calendar-move");
    const token = () => document.querySelector("input[name=csrfmiddlewaretoken]").value;
    const MINUTE = 60000;
    const DAYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    let dragged = null;
    let chosen = null;
    let isBusy = false;

    // Local times have no zone: they are added up as if they were UTC.
    const shiftedDay = (day, days) => new Date(Date.parse(`${day}T00:00Z`) + days * 1440 * MINUTE).toISOString().slice(0, 10);
    const shiftedTime = (time, minutes) => new Date(Date.parse(`${time}Z`) + minutes * MINUTE).toISOString().slice(0, 16);

    const showError = (text) => window.showMessage(message, text, { isError: true });

    const reload = async (pk) => {
        const page = await (await fetch(window.location.href)).text();
        const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("calendar");
        const top = document.querySelector(".time-grid")?.scrollTop;
        document.getElementById("calendar").replaceWith(document.adoptNode(fresh));
        const grid = document.querySelector(".time-grid");
        if (grid) grid.scrollTop = top;
        document.dispatchEvent(new Event("calendar:drawn"));
        document.querySelector(`#calendar a[data-event="${pk}"]`)?.focus({ preventScroll: true });
    };

    const putBack = () => {
        document.querySelectorAll("#calendar .calendar-card").forEach((card) => {
            card.style.removeProperty("transform");
            card.style.removeProperty("--more");
        });
    };

    // `times` are from, to and, to change the duration as well, end.
    const send = async (url, pk, times) => {
        if (isBusy) {
            putBack();
            return;
        }
        isBusy = true;
        let response;
        let answer;
        try {
            response = await fetch(url, {
                method: "POST",
                headers: { "X-CSRFToken": token(), Accept: "application/json" },
                body: new URLSearchParams(times),
            });
            answer = await response.json();
        } catch {
            showError(message.dataset.lost);
            putBack();
            return;
        } finally {
            isBusy = false;
        }
        const { message: text, warnings = [], ...undo } = answer;
        if (response.ok) window.showMessage(message, [text, ...warnings].join(" "), { undo: () => send(url, pk, undo) });
        else showError(text);
        // If that fails, the event stays where it was dropped: it has been moved.
        await reload(pk).catch(() => {});
    };

    const sendFor = (link, times) => send(link.dataset.move, link.dataset.event, times);

    const moveByDays = (link, days) => {
        if (days) sendFor(link, { from: link.dataset.start, to: shiftedDay(link.dataset.start, days) });
    };
    const moveByMinutes = (link, minutes) => {
        const from = link.dataset.starts;
        if (minutes) sendFor(link, { from, to: shiftedTime(from, minutes) });
    };
    const endAt = (link, end) => {
        const from = link.dataset.starts;
        if (end > from && end !== link.dataset.ends) sendFor(link, { from, to: from, end });
    };

    // By a day that is dragged upon: an event of several days moves by as many as lie between.
    const moveToDay = (link, from, to) => moveByDays(link, Math.round((Date.parse(to) - Date.parse(from)) / (1440 * MINUTE)));

    // The day below the pointer: a bar is in the cell of its first day, but above those of the others as well.
    const dayAt = ({ clientX, clientY }) =>
        document.elementsFromPoint(clientX, clientY).find((node) => node.matches("#calendar .calendar-day[data-day]"));
    const markDropTarget = (day) => {
        document.querySelectorAll("#calendar .is-drop-target").forEach((node) => node.classList.remove("is-drop-target"));
        day?.classList.add("is-drop-target");
    };

    const movableLink = (event) => event.target.closest?.(".calendar-card[draggable=true]")?.querySelector("a[data-move]");

    document.addEventListener("dragstart", (event) => {
        if (dragged?.card) {
            // A finger drags it already.
            event.preventDefault();
            return;
        }
        const link = movableLink(event);
        if (link) {
            dragged = { link, from: dayAt(event)?.dataset.day ?? link.dataset.start };
            event.dataTransfer.setData("text/plain", link.textContent);
            event.dataTransfer.effectAllowed = "move";
        }
    });
    document.addEventListener("dragover", (event) => {
        const day = dragged && dayAt(event);
        if (day) {
            event.preventDefault();
            markDropTarget(day);
        }
    });
    document.addEventListener("drop", (event) => {
        const day = dragged && dayAt(event);
        if (day) {
            event.preventDefault();
            moveToDay(dragged.link, dragged.from, day.dataset.day);
        }
    });
    const endDrag = () => {
        dragged = null;
        markDropTarget(null);
    };
    document.addEventListener("dragend", endDrag);

    // --- The same with a finger

    document.addEventListener("pointerdown", (event) => {
        const link = event.pointerType === "touch" && !event.target.closest("button") && movableLink(event);
        if (!link) return;
        const { clientX: x, clientY: y } = event;
        window.holdToDrag(event, () => {
            const card = link.closest(".calendar-card");
            dragged = { link, card, x, y, from: dayAt({ clientX: x, clientY: y })?.dataset.day ?? link.dataset.start };
            card.classList.add("is-dragged");
        });
    });
    document.addEventListener("pointermove", (event) => {
        if (!dragged?.card) return;
        dragged.card.style.transform = `translate(${event.clientX - dragged.x}px, ${event.clientY - dragged.y}px)`;
        markDropTarget(dayAt(event));
    });
    const drop = (event) => {
        if (!dragged?.card) return;
        const { link, card, from } = dragged;
        const day = event.type === "pointerup" && dayAt(event);
        card.classList.remove("is-dragged");
        card.style.removeProperty("transform");
        endDrag();
        if (day) moveToDay(link, from, day.dataset.day);
    };
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", drop);

    // --- Keyboard and dialog

    document.addEventListener("keydown", (event) => {
        const link = event.target.closest?.("#calendar a[data-move]");
        // The keys of events among the hours are in calendar_grid.js.
        if (link && event.altKey && event.key in DAYS && !link.closest(".grid-column")) {
            event.preventDefault();
            moveByDays(link, DAYS[event.key]);
        }
    });

    // An event that has a time, and ends within a day, can get another end in the dialog.
    const hasShortTimes = ({ starts, ends }) => Boolean(starts) && Date.parse(ends) - Date.parse(starts) < 1440 * MINUTE;

    const openDialog = (link) => {
        chosen = link;
        const { start, starts = "", ends = "" } = link.dataset;
        const values = { day: start, start: starts.slice(11), end: ends.slice(11) };
        const isShown = { day: true, start: Boolean(starts), end: hasShortTimes(link.dataset) };
        for (const [name, value] of Object.entries(values)) {
            const input = dialog.querySelector(`input[name=${name}]`);
            input.value = value;
            input.disabled = input.parentElement.hidden = !isShown[name];
        }
        dialog.querySelector("p").textContent = link.querySelector(".calendar-title").textContent;
        dialog.returnValue = "";
        dialog.showModal();
    };

    const moveAsEntered = () => {
        const [day, start, end] = ["day", "start", "end"].map((name) => dialog.querySelector(`input[name=${name}]`).value);
        const { starts, ends } = chosen.dataset;
        if (!starts) return moveByDays(chosen, (Date.parse(day) - Date.parse(chosen.dataset.start)) / (1440 * MINUTE));
        const to = `${day}T${start}`;
        const isSameEnd = !hasShortTimes(chosen.dataset) || end === ends.slice(11);
        if (isSameEnd) return to === starts ? undefined : sendFor(chosen, { from: starts, to });
        return sendFor(chosen, { from: starts, to, end: `${end > start ? day : shiftedDay(day, 1)}T${end}` });
    };

    document.addEventListener("click", (event) => {
        const button = event.target.closest?.(".calendar-move-button");
        if (button) openDialog(button.closest(".calendar-card").querySelector("a[data-move]"));
    });
    dialog.addEventListener("close", () => {
        if (dialog.returnValue === "move") moveAsEntered();
        else chosen.focus();
    });

    window.calendarPage = { moveByDays, moveByMinutes, endAt, shiftedTime, openDialog, showError };
});
