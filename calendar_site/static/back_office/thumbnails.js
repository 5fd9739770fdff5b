"use strict";

// Requests the thumbnails of a list when they are on the screen. With `loading=lazy`, browsers also request those of the
// next screens.
document.addEventListener("DOMContentLoaded", () => {
    const show = (image) => {
        image.src = image.dataset.src;
        image.removeAttribute("data-src");
    };
    const onScreen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            if (!isIntersecting) continue;
            onScreen.unobserve(target);
            show(target);
        }
    });
    const watch = (element) => element.querySelectorAll("img[data-src]").forEach((image) => onScreen.observe(image));
    watch(document);
    // Rows that are shown again after a change.
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) {
            for (const node of addedNodes) if (node instanceof Element) watch(node);
        }
    }).observe(document.body, { childList: true, subtree: true });
    window.addEventListener("beforeprint", () => document.querySelectorAll("img[data-src]").forEach(show));
});
