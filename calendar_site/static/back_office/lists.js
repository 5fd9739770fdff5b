"use strict";

// Switches in a list take effect at once, without leaving it.
document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.flag");
    if (!button) {
        return;
    }
    event.preventDefault();
    if (button.ariaBusy === "true") {
        return;
    }
    const said = document.getElementById("list-said");
    const say = (text, isWrong) => {
        said.textContent = text;
        said.classList.add("is-shown");
        said.classList.toggle("is-wrong", isWrong);
    };
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
        say(answer.message, !response.ok);
        if (response.ok) {
            button.ariaPressed = button.value === "1" ? "true" : "false";
            button.value = button.value === "1" ? "0" : "1";
        }
    } catch {
        say(said.dataset.lost, true);
    } finally {
        button.ariaBusy = "false";
    }
});
