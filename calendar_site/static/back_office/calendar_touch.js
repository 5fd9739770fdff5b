"use strict";

// A finger that rests on an event picks it up, to drag it. One that moves before scrolls, and one that is lifted taps.
{
    // Before the browser opens its own menu.
    const PATIENCE = 350;
    const MAX_DISTANCE = 10;
    let waiting = null;
    let isHeld = false;

    const stop = () => {
        window.clearTimeout(waiting?.timer);
        waiting = null;
    };

    // Calls `pickUp` if the finger of this `pointerdown` stays where it is.
    window.holdToDrag = (event, pickUp) => {
        stop();
        const timer = window.setTimeout(() => {
            waiting = null;
            isHeld = true;
            window.navigator.vibrate?.(15);
            pickUp();
        }, PATIENCE);
        waiting = { timer, x: event.clientX, y: event.clientY };
    };

    document.addEventListener("pointermove", (event) => {
        if (waiting && Math.hypot(event.clientX - waiting.x, event.clientY - waiting.y) > MAX_DISTANCE) stop();
    });
    for (const type of ["pointerup", "pointercancel"]) {
        document.addEventListener(type, () => {
            stop();
            isHeld = false;
        });
    }
    // Neither scrolling nor a menu.
    document.addEventListener("touchmove", (event) => isHeld && event.preventDefault(), { passive: false });
    document.addEventListener("contextmenu", (event) => {
        if (waiting || isHeld) event.preventDefault();
    });
}
