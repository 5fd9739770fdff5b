"use strict";

// On a phone, the calendar opens with the day view. Loaded before the page is drawn.
(() => {
    const url = new URL(window.location.href);
    if (!url.searchParams.has("view") && window.matchMedia("(max-width: 767px)").matches) {
        url.searchParams.set("view", "day");
        window.location.replace(url);
    }
})();
