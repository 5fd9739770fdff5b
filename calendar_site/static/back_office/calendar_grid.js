"use strict";

// The time grid: dragging events to other times, changing their ends, adding events, and the line of the present time.
document.addEventListener("DOMContentLoaded", () => {
    const STEP = 15;
    const NEW_EVENT_STEP = 30;
    const NEW_EVENT_MINUTES = 120;
    const MINUTES_PER_DAY = 1440;
    const MIN_DISTANCE = 5;
    // Near the upper and lower edge, dragging scrolls.
    const EDGE = 32;
    const SCROLL_STEP = 12;
    const { moveByDays, moveByMinutes, endAt, shiftedTime } = window.calendarPage;
    const loadedAt = Date.now();
    let drag = null;
    let wasDragged = false;

    const grid = () => document.querySelector("#calendar .time-grid");
    const columns = () => [...document.querySelectorAll("#calendar .grid-column")];
    const two = (number) => String(number).padStart(2, "0");
    const clock = (minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

    const minuteAt = (column, y, step) => {
        const box = column.getBoundingClientRect();
        const minute = ((y - box.top) / box.height) * MINUTES_PER_DAY;
        return Math.max(0, Math.min(MINUTES_PER_DAY - step, Math.floor(minute / step) * step));
    };
    const columnAt = (x) => {
        const found = columns();
        const index = found.findIndex((column) => x < column.getBoundingClientRect().right);
        return index < 0 ? found.length - 1 : index;
    };

    // --- Dragging

    const pickUp = () => {
        drag.isMoving = true;
        drag.time = drag.card.querySelector(".calendar-time")?.textContent;
        drag.card.classList.add("is-dragged");
    };

    document.addEventListener("pointerdown", (event) => {
        wasDragged = false;
        const card = event.target.closest?.(".time-grid .calendar-card");
        const link = card?.querySelector("a[data-move]");
        if (!link || event.button !== 0 || event.target.closest("button")) return;
        const column = card.closest(".grid-column");
        const begun = {
            card, link, column,
            kind: !column ? "bar" : event.target.closest(".grid-resize") ? "end" : "block",
            x: event.clientX,
            y: event.clientY,
            from: columnAt(event.clientX),
            scroll: grid().scrollTop,
            isMoving: false,
        };
        if (event.pointerType === "touch") {
            window.holdToDrag(event, () => {
                drag = begun;
                pickUp();
            });
        } else {
            drag = begun;
        }
    });

    const offsets = (event) => {
        const height = columns()[0].getBoundingClientRect().height;
        const pixels = event.clientY - drag.y + grid().scrollTop - drag.scroll;
        const minutes = Math.round((pixels / height) * MINUTES_PER_DAY / STEP) * STEP;
        return { days: drag.kind === "end" ? 0 : columnAt(event.clientX) - drag.from, minutes: drag.kind === "bar" ? 0 : minutes };
    };

    const newEnd = (minutes) => {
        const { starts, ends } = drag.link.dataset;
        const earliest = shiftedTime(starts, STEP);
        const end = shiftedTime(ends, minutes);
        return end < earliest ? earliest : end;
    };

    const showDrag = ({ days, minutes }) => {
        const { card, kind, link } = drag;
        const width = columns()[0].getBoundingClientRect().width;
        const height = columns()[0].getBoundingClientRect().height;
        const pixels = (minutes / MINUTES_PER_DAY) * height;
        const time = card.querySelector(".calendar-time");
        if (kind === "end") {
            const end = newEnd(minutes);
            card.style.setProperty("--more", (Date.parse(end) - Date.parse(link.dataset.ends)) / 60000);
            time.textContent = `${link.dataset.starts.slice(11)}–${end.slice(11)}`;
        } else {
            card.style.transform = `translate(${days * width}px, ${pixels}px)`;
            if (kind === "block") time.textContent = shiftedTime(link.dataset.starts, minutes).slice(11);
        }
    };

    // There is no other way to scroll with the finger that drags. A drag that begins at the edge and leaves it scrolls nothing.
    const scrollAtEdge = (y) => {
        const box = grid().getBoundingClientRect();
        const top = box.top + grid().querySelector(".grid-head").offsetHeight;
        if (y < top + EDGE && y < drag.y) grid().scrollTop -= SCROLL_STEP;
        else if (y > Math.min(box.bottom, window.innerHeight) - EDGE && y > drag.y) grid().scrollTop += SCROLL_STEP;
    };

    const endDrag = () => {
        drag?.card.classList.remove("is-dragged");
        drag = null;
    };

    document.addEventListener("pointermove", (event) => {
        if (drag) {
            if (!drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < MIN_DISTANCE) return;
            if (!drag.isMoving) pickUp();
            event.preventDefault();
            scrollAtEdge(event.clientY);
            showDrag(offsets(event));
        } else {
            showSlot(event);
        }
    });

    const resetCard = () => {
        drag.card.style.removeProperty("transform");
        drag.card.style.removeProperty("--more");
        if (drag.time !== undefined) drag.card.querySelector(".calendar-time").textContent = drag.time;
    };

    document.addEventListener("pointerup", (event) => {
        if (!drag) return;
        const { link, kind, isMoving } = drag;
        if (isMoving) {
            wasDragged = true;
            const { days, minutes } = offsets(event);
            if (!days && !minutes) resetCard();
            else if (kind === "end") endAt(link, newEnd(minutes));
            else if (kind === "bar") moveByDays(link, days);
            else moveByMinutes(link, days * MINUTES_PER_DAY + minutes);
        }
        endDrag();
    });
    document.addEventListener("pointercancel", () => {
        if (drag?.isMoving) resetCard();
        endDrag();
    });
    // A click follows the release of the button.
    document.addEventListener("click", (event) => {
        if (wasDragged && event.target.closest?.("#calendar")) {
            event.preventDefault();
            event.stopPropagation();
        }
        wasDragged = false;
    }, { capture: true });

    // --- Keyboard

    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && drag?.isMoving) {
            resetCard();
            endDrag();
            wasDragged = true;
            return;
        }
        const link = event.target.closest?.(".grid-column a[data-move]");
        const minutes = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
        const days = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!link || !event.altKey || !(minutes || days)) return;
        event.preventDefault();
        if (days) moveByDays(link, days);
        else if (event.shiftKey) endAt(link, shiftedTime(link.dataset.ends, minutes));
        else moveByMinutes(link, minutes);
    });

    // --- New events

    const freeColumn = (event) => {
        const column = event.target.closest?.(".grid-column[data-add]");
        return column && !event.target.closest(".calendar-card, .grid-more") ? column : null;
    };

    const removeSlot = () => document.querySelector(".grid-slot")?.remove();

    const showSlot = (event) => {
        const column = event.pointerType === "touch" ? null : freeColumn(event);
        if (!column) {
            removeSlot();
            return;
        }
        const minute = minuteAt(column, event.clientY, NEW_EVENT_STEP);
        let slot = document.querySelector(".grid-slot");
        if (slot?.parentElement !== column) {
            slot?.remove();
            slot = document.createElement("div");
            slot.className = "grid-slot";
            slot.setAttribute("aria-hidden", "true");
            column.append(slot);
        }
        slot.style.setProperty("--top", minute);
        slot.textContent = `+ ${clock(minute)}`;
    };

    document.addEventListener("click", (event) => {
        const column = event.defaultPrevented ? null : freeColumn(event);
        if (!column) return;
        const start = `${column.dataset.day}T${clock(minuteAt(column, event.clientY, NEW_EVENT_STEP))}`;
        window.openNewEvent(column.dataset.add, start, shiftedTime(start, NEW_EVENT_MINUTES));
    });

    // --- The present time. The page tells the time of the site, the clock of the browser how much has passed since.

    const showNow = () => {
        const line = document.querySelector(".grid-now");
        const minute = Number(grid()?.dataset.now) + Math.floor((Date.now() - loadedAt) / 60000);
        if (line) line.style.setProperty("--top", Math.min(minute, MINUTES_PER_DAY));
    };
    window.setInterval(showNow, 30000);
    document.addEventListener("calendar:drawn", showNow);

    // Says that there are events below what is shown, and leads there.
    const showLater = () => {
        const button = document.querySelector(".grid-below");
        if (button) {
            const { bottom } = grid().getBoundingClientRect();
            const cards = [...grid().querySelectorAll(".grid-column .calendar-card")];
            button.hidden = !cards.some((card) => card.getBoundingClientRect().top > bottom);
        }
    };

    // As high as there is room in the window: only the grid scrolls, and the names of its days stay in view.
    const MIN_HEIGHT = 420;
    const MIN_WIDTH = 1024;
    // For the button that leads to later events.
    const ROOM_BELOW = 52;
    const fitGrid = () => {
        // On small screens, the page is for scrolling to the grid.
        if (grid() && window.innerWidth >= MIN_WIDTH) {
            const top = grid().getBoundingClientRect().top + window.scrollY;
            grid().style.maxHeight = `${Math.max(MIN_HEIGHT, window.innerHeight - top - ROOM_BELOW)}px`;
        }
    };

    const watchGrid = () => {
        fitGrid();
        grid()?.addEventListener("scroll", showLater, { passive: true });
        const button = document.querySelector(".grid-below");
        button?.addEventListener("click", () => grid().scrollBy({ top: grid().clientHeight / 2, behavior: "smooth" }));
        showLater();
    };
    document.addEventListener("calendar:drawn", watchGrid);
    window.addEventListener("resize", () => {
        fitGrid();
        showLater();
    });

    const showFirstHours = () => {
        const body = grid()?.querySelector(".grid-body");
        if (!body) return;
        fitGrid();
        grid().scrollTop = (Number(grid().dataset.first) / MINUTES_PER_DAY) * body.getBoundingClientRect().height;
        const today = grid().querySelector(".grid-column[data-today]");
        // Beside the labels of the hours, which stay where they are.
        if (today) grid().scrollLeft = today.offsetLeft - grid().querySelector(".grid-hours").offsetWidth;
        watchGrid();
    };
    showFirstHours();
});
