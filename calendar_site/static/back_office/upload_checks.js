"use strict";

// Says before anything is sent that a file is too large, and how to go on without an alternative text.
// Before the dialog of images, which keeps its events from the form below.
{
    const listen = (type, handle) => document.addEventListener(type, ({ target }) => handle(target), { capture: true });

    listen("change", (input) => {
        if (!input.matches("input[type=file][data-max-bytes]")) return;
        const tooLarge = [...input.files].find((file) => file.size > Number(input.dataset.maxBytes));
        input.setCustomValidity(tooLarge ? `${tooLarge.name}: ${input.dataset.tooLarge}` : "");
        input.reportValidity();
    });
    listen("invalid", (input) => {
        if (input.validity.valueMissing && input.dataset.missing) input.setCustomValidity(input.dataset.missing);
    });
    listen("input", (input) => {
        if (input.dataset.missing) input.setCustomValidity("");
    });
}
