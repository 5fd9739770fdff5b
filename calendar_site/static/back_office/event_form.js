"use strict";

{
    const PAUSE = 300;
    const MINUTE = 60_000;
    // Without a last day, Chromium takes six digits for a year.
    const LAST = { date: "9999-12-31", "datetime-local": "9999-12-31T23:59" };

    // Local times are computed in UTC, which skips and repeats nothing; the service knows the time zones.
    const localTime = (input) => (input.value ? Date.parse(`${input.value.padEnd(16, "T00:00")}Z`) : NaN);

    const setLocalTime = (input, time) => {
        const text = new Date(time).toISOString();
        // While a year is typed, the other may lie before all years that controls can show.
        if (/^\d{4}-/.test(text)) {
            input.value = input.type === "date" ? text.slice(0, 10) : text.slice(0, 19).replace(/:00$/, "");
        }
    };

    // Shows an error of the service beside a field; "" removes it.
    const showError = (input, error) => {
        const id = `${input.id}_hint_error`;
        let element = document.getElementById(id);
        if (!element) {
            element = Object.assign(document.createElement("p"), { id, className: "hint-error" });
            element.setAttribute("aria-live", "polite");
            input.after(element);
        }
        if (element.textContent !== error) {
            element.textContent = error;
            input.closest(".field-line")?.classList.toggle("errors", Boolean(error));
        }
        input.setAttribute("aria-invalid", String(Boolean(error)));
        input.setAttribute("aria-errormessage", id);
    };

    // Updates a hint whenever one of the fields that it is about changes.
    const keepUpdated = (output) => {
        const inputs = Array.from(output.htmlFor, (id) => document.getElementById(id)).filter(Boolean);
        let pause;
        let pending;
        const update = async () => {
            pending?.abort();
            const own = (pending = new AbortController());
            const query = new URLSearchParams();
            for (const input of inputs) {
                if (input.type !== "checkbox" || input.checked) {
                    query.set(input.name, input.value);
                }
            }
            try {
                const response = await fetch(`${output.dataset.url}?${query}`, { signal: own.signal });
                const hint = await response.json();
                output.textContent = hint.text;
                for (const input of inputs.filter(({ type }) => type !== "checkbox")) {
                    showError(input, hint.errors[input.name] ?? "");
                }
            } catch {
                // Without a response there is no hint; errors are shown when the form is sent.
                if (!own.signal.aborted) {
                    output.textContent = "";
                }
            }
        };
        const updateSoon = (event) => {
            // The errors of the previous value no longer apply.
            const line = event.target.closest(".field-line");
            const shownErrors = line?.querySelector(".errorlist");
            if (shownErrors) {
                shownErrors.remove();
                line.classList.remove("errors");
            }
            clearTimeout(pause);
            pause = setTimeout(update, PAUSE);
        };
        for (const input of inputs) {
            input.addEventListener("input", updateSoon);
            input.addEventListener("change", updateSoon);
        }
    };

    // Hides the times of a whole day, and shows them again when it is not one any more.
    const toggleTimes = (allDay, start, end) => {
        const toggle = () => {
            for (const input of [start, end]) {
                const [day, time] = input.value.split("T");
                input.dataset.time = time ?? input.dataset.time;
                input.type = allDay.checked ? "date" : "datetime-local";
                input.max = LAST[input.type];
                input.value = !day || allDay.checked ? day : `${day}T${input.dataset.time}`;
            }
        };
        allDay.addEventListener("change", toggle);
        toggle();
    };

    // Moves the end along with the start until the user sets it.
    const moveEndWithStart = (allDay, start, end) => {
        let before = localTime(start);
        let isTouched = false;
        end.addEventListener("input", () => {
            isTouched = true;
        });
        allDay.addEventListener("change", () => {
            before = localTime(start);
        });
        start.addEventListener("input", () => {
            const now = localTime(start);
            if (Number.isNaN(now)) {
                return;
            }
            if (!end.value) {
                setLocalTime(end, now + (end.type === "date" ? 0 : end.dataset.minutes * MINUTE));
            } else if (!isTouched && !Number.isNaN(before)) {
                setLocalTime(end, localTime(end) + now - before);
            }
            before = now;
        });
    };

    // A line of text above the times, such as "5 Dec 10-13", which fills them in. It is not sent with the form.
    const fillTimesFromText = (allDay, start, end, zone) => {
        const input = Object.assign(document.createElement("input"), {
            id: "written-times",
            type: "text",
            maxLength: 100,
            autocomplete: "off",
            placeholder: gettext("5 Dec 10-13"),
        });
        const label = Object.assign(document.createElement("label"), {
            htmlFor: input.id,
            textContent: gettext("When, in words"),
        });
        const line = document.createElement("div");
        line.className = "written-times";
        line.append(label, input);
        start.closest(".field-row, .form-row, .field-line").before(line);
        const set = (field, value) => {
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
        };
        let pending;
        const fill = async () => {
            pending?.abort();
            if (!input.value.trim()) {
                showError(input, "");
                return;
            }
            const own = (pending = new AbortController());
            const query = new URLSearchParams({ text: input.value, time_zone: zone?.value ?? "" });
            try {
                const response = await fetch(`${start.dataset.writtenTimesUrl}?${query}`, { signal: own.signal });
                const times = await response.json();
                showError(input, times.error);
                if (times.error) {
                    return;
                }
                if (allDay.checked !== times.all_day) {
                    allDay.click();
                }
                // Without an end, the usual duration applies.
                end.value = times.end;
                set(start, times.start);
                if (times.end) {
                    set(end, times.end);
                }
            } catch {
                // The fields below can be filled in by themselves.
            }
        };
        let pause;
        input.addEventListener("input", () => {
            clearTimeout(pause);
            pause = setTimeout(fill, PAUSE);
        });
        input.addEventListener("keydown", (event) => {
            if (event.key === "Enter") {
                event.preventDefault();
                clearTimeout(pause);
                fill();
            }
        });
    };

    // Hides the time zone as long as it is the site's, behind a button that shows it.
    const hideSiteZone = (zone) => {
        const line = zone.closest(".field-line");
        const button = document.createElement("button");
        Object.assign(button, { type: "button", className: "show-time-zone", textContent: gettext("Different time zone") });
        let isOpened = line.classList.contains("errors");
        const update = () =>
            line.classList.toggle("has-site-zone", !isOpened && zone.value === zone.dataset.siteZone);
        button.addEventListener("click", () => {
            isOpened = true;
            update();
            zone.focus();
            zone.select();
        });
        zone.addEventListener("input", () => {
            isOpened = true;
            update();
        });
        zone.addEventListener("change", update);
        zone.before(button);
        update();
    };

    // Takes the time zone of the first venue until the user sets one.
    const takeZoneOfVenue = (zone, venues) => {
        let isSet = zone.value !== zone.dataset.siteZone;
        let pending;
        zone.addEventListener("input", () => {
            isSet = true;
        });
        // Select2 only sends events of jQuery.
        django.jQuery(venues).on("change", async () => {
            pending?.abort();
            if (isSet) {
                return;
            }
            pending = new AbortController();
            const query = new URLSearchParams({ venue: venues.selectedOptions[0]?.value ?? "" });
            try {
                const response = await fetch(`${zone.dataset.venueZoneUrl}?${query}`, { signal: pending.signal });
                const { time_zone: name } = await response.json();
                if (!isSet && name !== zone.value) {
                    zone.value = name;
                    zone.dispatchEvent(new Event("change"));
                }
            } catch {
                // The time zone stays as it is, and saving warns if the venue has another one.
            }
        });
    };

    document.addEventListener("DOMContentLoaded", () => {
        const [allDay, start, end, zone, venues] = ["all_day", "start", "end", "time_zone", "ordered_venues"].map((name) =>
            document.getElementById(`id_${name}`),
        );
        if (zone) {
            hideSiteZone(zone);
        }
        if (zone?.dataset.venueZoneUrl && venues) {
            takeZoneOfVenue(zone, venues);
        }
        if (allDay && start && end) {
            toggleTimes(allDay, start, end);
            moveEndWithStart(allDay, start, end);
            if (start.dataset.writtenTimesUrl) {
                fillTimesFromText(allDay, start, end, zone);
            }
        }
        document.querySelectorAll("output[data-url]").forEach(keepUpdated);
    });
}
