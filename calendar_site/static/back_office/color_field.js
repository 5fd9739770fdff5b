"use strict";

// Choosing another color selects the radio button beside it.
document.addEventListener("input", (event) => {
    if (event.target.matches?.(".color-field input[type=color]")) {
        event.target.closest(".color-field").querySelector("input[value=custom]").checked = true;
    }
});
