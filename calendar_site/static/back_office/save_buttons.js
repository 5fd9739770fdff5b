"use strict";

// Shows on the first button of a form what it does when its user chooses another status than the saved one.
document.addEventListener("DOMContentLoaded", () => {
    const bar = document.querySelector(".save-buttons[data-labels]");
    const field = document.querySelector("select[name=status]");
    const [first, second] = bar?.querySelectorAll(":scope > button[name]") ?? [];
    if (!field || !first) {
        return;
    }
    const labels = JSON.parse(bar.dataset.labels);
    const usual = { name: first.name, label: first.textContent };

    const update = () => {
        const isUsual = field.value === bar.dataset.status || !(field.value in labels);
        first.name = isUsual ? usual.name : "_save";
        first.textContent = isUsual ? usual.label : labels[field.value];
        if (second) {
            // Both would do the same.
            second.hidden = !isUsual && (second.name === "_save" || (second.name === "_draft" && field.value === "draft"));
        }
    };

    field.addEventListener("change", update);
    update();
});
