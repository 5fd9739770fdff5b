"use strict";

// Moves events to other days: by dragging, by the dialog behind their button, and by the arrow keys with Alt.
document.addEventListener("DOMContentLoaded", () => {
    const message = document.getElementById("calendar-message");
    const dialog = document.getElementById("calendar-move");
    const token = () => document.querySelector("input[name=csrfmiddlewaretoken]").value;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    let dragged = null;
    let chosen = null;

    const shifted = (day, days) => {
        const moment = new Date(`${day}T00:00:00Z`);
        moment.setUTCDate(moment.getUTCDate() + days);
        return moment.toISOString().slice(0, 10);
    };

    const showMessage = (text, undo) => {
        message.replaceChildren(document.createTextNode(text));
        if (undo) {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = message.dataset.undo;
            button.addEventListener("click", undo);
            message.append(" ", button);
        }
        message.classList.add("is-shown");
        window.endMessage(message);
    };

    // The days of a month stand below each other on a phone: begin with today.
    if (window.matchMedia("(max-width: 767px)").matches && !window.location.hash) {
        document.querySelector("#calendar td[aria-current]")?.scrollIntoView({ block: "start" });
    }

    const reload = async (pk) => {
        const page = await (await fetch(window.location.href)).text();
        const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("calendar");
        document.getElementById("calendar").replaceWith(document.adoptNode(fresh));
        document.querySelector(`#calendar a[data-event="${pk}"]`)?.focus();
    };

    const move = async (url, pk, from, to) => {
        let response;
        try {
            response = await fetch(url, {
                method: "POST",
                headers: { "X-CSRFToken": token(), Accept: "application/json" },
                body: new URLSearchParams({ from, to }),
            });
            const answer = await response.json();
            showMessage(answer.message, response.ok && (() => move(url, pk, answer.from, answer.to)));
            if (response.ok || response.status === 409) {
                await reload(pk);
            }
        } catch {
            showMessage(message.dataset.lost);
        }
    };

    // By a day that is dragged upon: an event of several days moves by as many as lie between.
    const moveLink = (link, from, to) => {
        if (from !== to) {
            const days = (Date.parse(to) - Date.parse(from)) / 86400000;
            move(link.dataset.move, link.dataset.event, link.dataset.start, shifted(link.dataset.start, days));
        }
    };

    const dayOf = (node) => node.closest?.("#calendar [data-day]");
    const markDropTarget = (day) => {
        document.querySelectorAll("#calendar .is-drop-target").forEach((node) => node.classList.remove("is-drop-target"));
        day?.classList.add("is-drop-target");
    };

    document.addEventListener("dragstart", (event) => {
        const link = event.target.closest?.(".calendar-card")?.querySelector("a[data-move]");
        if (link) {
            dragged = { link, from: dayOf(link)?.dataset.day ?? link.dataset.start };
            event.dataTransfer.setData("text/plain", link.textContent);
            event.dataTransfer.effectAllowed = "move";
        }
    });
    document.addEventListener("dragover", (event) => {
        const day = dragged && dayOf(event.target);
        if (day) {
            event.preventDefault();
            markDropTarget(day);
        }
    });
    document.addEventListener("drop", (event) => {
        const day = dragged && dayOf(event.target);
        if (day) {
            event.preventDefault();
            moveLink(dragged.link, dragged.from, day.dataset.day);
        }
    });
    document.addEventListener("dragend", () => {
        dragged = null;
        markDropTarget(null);
    });

    document.addEventListener("keydown", (event) => {
        const link = event.target.closest?.("#calendar a[data-move]");
        if (link && event.altKey && event.key in steps) {
            event.preventDefault();
            moveLink(link, link.dataset.start, shifted(link.dataset.start, steps[event.key]));
        }
    });

    document.addEventListener("click", (event) => {
        const button = event.target.closest?.(".calendar-move-button");
        if (button) {
            chosen = button.closest(".calendar-card").querySelector("a[data-move]");
            dialog.querySelector("p").textContent = chosen.querySelector(".calendar-title").textContent;
            dialog.querySelector("input").value = chosen.dataset.start;
            dialog.returnValue = "";
            dialog.showModal();
        }
    });
    dialog.addEventListener("close", () => {
        const day = dialog.querySelector("input").value;
        if (dialog.returnValue === "move" && day) {
            moveLink(chosen, chosen.dataset.start, day);
        } else {
            chosen.focus();
        }
    });
});
