"use strict";

// Sets a flag of a list at once, without leaving the page.
document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.flag");
    if (!button) {
        return;
    }
    event.preventDefault();
    if (button.ariaBusy === "true") {
        return;
    }
    const message = document.getElementById("list-message");
    button.ariaBusy = "true";
    try {
        const response = await fetch(button.formAction, {
            method: "POST",
            headers: {
                "X-CSRFToken": document.querySelector("input[name=csrfmiddlewaretoken]").value,
                Accept: "application/json",
            },
            body: new URLSearchParams({ value: button.value }),
        });
        const answer = await response.json();
        window.showMessage(message, answer.message, { isError: !response.ok });
        if (response.ok) {
            button.ariaPressed = button.value === "1" ? "true" : "false";
            button.value = button.value === "1" ? "0" : "1";
        }
    } catch {
        window.showMessage(message, message.dataset.lost, { isError: true });
    } finally {
        button.ariaBusy = "false";
    }
});
