"use strict";

// The pop-over of an event, and the place in the calendar to which the user comes back from a form.
document.addEventListener("DOMContentLoaded", () => {
    const PLACE = "calendar-place";
    const summary = document.getElementById("calendar-summary");
    const { openDialog, showError } = window.calendarPage;
    let opener = null;
    let request = 0;

    const isPhone = () => window.matchMedia("(max-width: 767px)").matches;

    // Below the event, or above it where there is no room; beside the edge of the window at most. A sheet on a phone.
    const place = () => {
        summary.style.removeProperty("top");
        summary.style.removeProperty("left");
        if (isPhone()) return;
        const card = opener.closest(".calendar-card").getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = summary;
        const above = card.top - height - 4;
        const below = card.bottom + 4;
        const top = below + height <= window.innerHeight ? below : above >= 0 ? above : window.innerHeight - height - 8;
        summary.style.top = `${Math.max(8, top)}px`;
        summary.style.left = `${Math.max(8, Math.min(card.left, window.innerWidth - width - 8))}px`;
    };

    const open = async (link) => {
        const number = ++request;
        opener = link;
        const url = new URL(link.href);
        url.pathname = url.pathname.replace(/change\/$/, "summary/");
        let html;
        try {
            const response = await fetch(url);
            // A redirect leads to signing in.
            if (!response.ok || response.redirected) throw new Error(String(response.status));
            html = await response.text();
        } catch {
            if (number === request) showError(summary.dataset.lost);
            return;
        }
        if (number !== request || !link.isConnected) return;
        const content = new DOMParser().parseFromString(html, "text/html").body.childNodes;
        summary.replaceChildren(...Array.from(content).map((node) => document.adoptNode(node)));
        summary.querySelector("[data-move]")?.toggleAttribute("hidden", !link.dataset.move);
        summary.showPopover();
        place();
        summary.querySelector("h2").focus();
    };

    const close = () => {
        if (summary.matches(":popover-open")) summary.hidePopover();
    };

    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("#calendar a[data-event]");
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (link && isPlain && !event.defaultPrevented) {
            event.preventDefault();
            open(link);
        } else if (event.target.closest?.("#calendar-summary [data-close]")) {
            close();
        } else if (event.target.closest?.("#calendar-summary [data-move]")) {
            close();
            openDialog(opener);
        }
    });

    summary.addEventListener("toggle", (event) => {
        const isAway = document.activeElement === document.body || summary.contains(document.activeElement);
        if (event.newState === "closed" && isAway) opener?.focus({ preventScroll: true });
    });
    // Tab leaves the pop-over for the next event, so that it must not stay in front of it.
    summary.addEventListener("focusout", (event) => {
        if (event.relatedTarget && !summary.contains(event.relatedTarget)) close();
    });

    // --- The place to come back to

    const period = () => document.getElementById("calendar").dataset.period;
    const grid = () => document.querySelector("#calendar .time-grid");

    window.addEventListener("pagehide", () => {
        const opened = summary.contains(document.activeElement) || document.activeElement === opener ? opener : null;
        const left = { period: period(), y: window.scrollY, grid: grid()?.scrollTop, event: opened?.dataset.event };
        window.sessionStorage.setItem(PLACE, JSON.stringify(left));
    });

    const left = JSON.parse(window.sessionStorage.getItem(PLACE) ?? "null");
    if (left?.period === period()) {
        window.scrollTo(0, left.y);
        if (grid() && left.grid !== undefined) grid().scrollTop = left.grid;
        if (left.event) document.querySelector(`#calendar a[data-event="${left.event}"]`)?.focus({ preventScroll: true });
    } else if (isPhone() && !window.location.hash) {
        // The days of a month stand below each other on a phone: begin with today.
        document.querySelector("#calendar td[aria-current]")?.scrollIntoView({ block: "start" });
    }
});
