"use strict";

const PAUSE = 300;
const MINUTE = 60_000;

// Clocks on a wall are counted in UTC, which skips and doubles nothing; what zones do is for the service to say.
const wallOf = (input) => (input.value ? Date.parse(`${input.value.padEnd(16, "T00:00")}Z`) : NaN);

const setWall = (input, wall) => {
    const text = new Date(wall).toISOString();
    // While a year is typed, the other may lie before all years that controls can show.
    if (/^\d{4}-/.test(text)) {
        input.value = input.type === "date" ? text.slice(0, 10) : text.slice(0, 19).replace(/:00$/, "");
    }
};

// Says beside a field what is wrong with it, in words of the service; "" takes that away.
const showFault = (input, fault) => {
    const id = `${input.id}_fault`;
    let place = document.getElementById(id);
    if (!place) {
        place = Object.assign(document.createElement("p"), { id, className: "told-fault" });
        place.setAttribute("aria-live", "polite");
        input.after(place);
    }
    if (place.textContent !== fault) {
        place.textContent = fault;
        input.closest(".field-line")?.classList.toggle("errors", Boolean(fault));
    }
    input.setAttribute("aria-invalid", String(Boolean(fault)));
    input.setAttribute("aria-errormessage", id);
};

// Fills a sentence anew whenever one of the fields that it is about is changed.
const keepTelling = (output) => {
    const inputs = Array.from(output.htmlFor, (id) => document.getElementById(id)).filter(Boolean);
    let pause;
    let asking;
    const ask = async () => {
        asking?.abort();
        const own = (asking = new AbortController());
        const given = new URLSearchParams();
        for (const input of inputs) {
            if (input.type !== "checkbox" || input.checked) {
                given.set(input.name, input.value);
            }
        }
        try {
            const response = await fetch(`${output.dataset.address}?${given}`, { signal: own.signal });
            const told = await response.json();
            output.textContent = told.text;
            for (const input of inputs.filter(({ type }) => type !== "checkbox")) {
                showFault(input, told.faults[input.name] ?? "");
            }
        } catch {
            // Without an answer nothing is told; what is wrong is said when the form is sent.
            if (!own.signal.aborted) {
                output.textContent = "";
            }
        }
    };
    const askSoon = (event) => {
        // What the page said of the value before holds no more.
        const line = event.target.closest(".field-line");
        const said = line?.querySelector(".errorlist");
        if (said) {
            said.remove();
            line.classList.remove("errors");
        }
        clearTimeout(pause);
        pause = setTimeout(ask, PAUSE);
    };
    for (const input of inputs) {
        input.addEventListener("input", askSoon);
        input.addEventListener("change", askSoon);
    }
};

// A whole day has no times: they are folded away, and are there again when it is none any more.
const foldTimes = (allDay, start, end) => {
    const fold = () => {
        for (const input of [start, end]) {
            const [day, time] = input.value.split("T");
            input.dataset.time = time ?? input.dataset.time;
            input.type = allDay.checked ? "date" : "datetime-local";
            input.value = !day || allDay.checked ? day : `${day}T${input.dataset.time}`;
        }
    };
    allDay.addEventListener("change", fold);
    fold();
};

// The end goes along with the start, as long as nobody has set it by hand.
const moveEndAlong = (allDay, start, end) => {
    let before = wallOf(start);
    let isTouched = false;
    end.addEventListener("input", () => {
        isTouched = true;
    });
    allDay.addEventListener("change", () => {
        before = wallOf(start);
    });
    start.addEventListener("input", () => {
        const now = wallOf(start);
        if (Number.isNaN(now)) {
            return;
        }
        if (!end.value) {
            setWall(end, now + (end.type === "date" ? 0 : end.dataset.minutes * MINUTE));
        } else if (!isTouched && !Number.isNaN(before)) {
            setWall(end, wallOf(end) + now - before);
        }
        before = now;
    });
};

document.addEventListener("DOMContentLoaded", () => {
    const [allDay, start, end] = ["id_all_day", "id_start", "id_end"].map((id) => document.getElementById(id));
    if (allDay && start && end) {
        foldTimes(allDay, start, end);
        moveEndAlong(allDay, start, end);
    }
    document.querySelectorAll("output[data-address]").forEach(keepTelling);
});
