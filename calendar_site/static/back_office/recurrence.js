"use strict";

// When an event repeats: shows the inputs that belong to the choice, a preview of the dates, and a calendar to pick them.
(() => {
    const PAUSE = 300;
    const TIMES = ["start", "end", "all_day", "time_zone"];
    const DAY = 86_400_000;

    const splitDates = (input) => input.value.split(",").map((text) => text.trim()).filter(Boolean);

    const setDates = (input, dates) => {
        input.value = [...new Set(dates)].sort().join(", ");
        input.dispatchEvent(new Event("input", { bubbles: true }));
    };

    const toggleDate = (input, date, isIn) => {
        const others = splitDates(input).filter((other) => other !== date);
        setDates(input, isIn ? [...others, date] : others);
    };

    class Recurrence {
        constructor(root) {
            this.root = root;
            this.form = root.closest("form");
            this.result = root.querySelector(".recurrence-result");
            this.preview = root.querySelector(".recurrence-preview");
            this.calendar = root.querySelector(".recurrence-calendar");
            this.isWhole = false;
            this.shownMonth = null;
            root.classList.add("has-script");
            root.addEventListener("input", (event) => this.onInput(event));
            root.addEventListener("change", (event) => this.onChange(event));
            root.addEventListener("click", (event) => this.onClick(event));
            for (const name of TIMES) {
                this.form.elements[name]?.addEventListener("input", () => this.updateSoon());
                this.form.elements[name]?.addEventListener("change", () => this.updateSoon());
            }
            this.toggle();
            this.update();
        }

        input(name) {
            return this.form.elements[`recurrence-${name}`];
        }

        get start() {
            return this.form.elements.start?.value ?? "";
        }

        // Shows the inputs that belong to the chosen frequency and end.
        toggle() {
            const frequency = this.input("frequency").value;
            for (const part of this.root.querySelectorAll("[data-for]")) {
                const { month, end } = part.dataset;
                part.hidden =
                    !part.dataset.for.split(" ").includes(frequency) ||
                    Boolean(month && month !== this.input("month_by").value) ||
                    Boolean(end && end !== this.input("ends").value);
            }
            const unit = this.root.dataset[`unit${frequency.charAt(0)}${frequency.slice(1).toLowerCase()}`];
            this.root.querySelector(".recurrence-unit").textContent = unit ?? "";
            this.result.hidden = !frequency;
            if (frequency === "DATES" && this.calendar.hidden) {
                this.openCalendar();
            }
        }

        // The day of the event is the most likely one.
        chooseDay() {
            const boxes = [...this.root.querySelectorAll(".recurrence-days input")];
            const day = Date.parse(`${this.start.slice(0, 10)}T00:00Z`);
            if (this.input("frequency").value !== "WEEKLY" || boxes.some((box) => box.checked) || Number.isNaN(day)) {
                return;
            }
            boxes[(new Date(day).getUTCDay() + 6) % 7].checked = true;
        }

        onInput(event) {
            if (event.target.closest(".recurrence-preview")) {
                return;
            }
            if (event.target === this.input("frequency")) {
                this.chooseDay();
                this.isWhole = false;
            }
            this.toggle();
            this.updateSoon();
        }

        onChange(event) {
            const box = event.target.closest(".recurrence-preview input");
            if (!box) {
                this.onInput(event);
            } else if ("added" in box.dataset) {
                toggleDate(this.input("rdate"), box.value, box.checked);
            } else {
                toggleDate(this.input("exdate"), box.value, !box.checked);
            }
        }

        onClick(event) {
            const button = event.target.closest("button");
            if (!button) {
                return;
            }
            if ("skipHolidays" in button.dataset) {
                this.skipHolidays();
            } else if ("showAll" in button.dataset) {
                this.isWhole = true;
                this.update();
            } else if (button.matches(".recurrence-open")) {
                if (this.calendar.hidden) this.openCalendar();
                else this.closeCalendar();
            } else if (button.dataset.month) {
                this.shownMonth = button.dataset.month;
                const side = button.dataset.side;
                this.showCalendar();
                this.calendar.querySelector(`[data-side="${side}"]`).focus();
            } else if (button.dataset.day) {
                this.toggleDay(button);
            }
        }

        async skipHolidays() {
            if (!this.isWhole) {
                this.isWhole = true;
                await this.update();
            }
            const boxes = [...this.preview.querySelectorAll("input[data-holiday]:checked")];
            const isAdded = (box) => "added" in box.dataset;
            const added = boxes.filter(isAdded).map((box) => box.value);
            const others = boxes.filter((box) => !isAdded(box)).map((box) => box.value);
            setDates(this.input("rdate"), splitDates(this.input("rdate")).filter((date) => !added.includes(date)));
            setDates(this.input("exdate"), [...splitDates(this.input("exdate")), ...others]);
        }

        updateSoon() {
            clearTimeout(this.pause);
            this.pause = setTimeout(() => this.update(), PAUSE);
        }

        async update() {
            if (!this.input("frequency").value) {
                this.preview.replaceChildren();
                return;
            }
            this.pending?.abort();
            const own = (this.pending = new AbortController());
            const data = new FormData(this.form);
            const sent = new FormData();
            for (const [name, value] of data) {
                if (TIMES.includes(name) || name.startsWith("recurrence-") || name === "csrfmiddlewaretoken") {
                    sent.append(name, value);
                }
            }
            if (this.isWhole || !this.calendar.hidden) {
                sent.append("all", "1");
            }
            try {
                const response = await fetch(this.root.dataset.preview, {
                    method: "POST", body: sent, signal: own.signal,
                });
                if (!response.ok) {
                    throw new Error(response.statusText);
                }
                this.showPreview(await response.text());
            } catch {
                // Without a response there is no preview; errors are shown when the form is sent.
                if (!own.signal.aborted) {
                    this.preview.replaceChildren();
                }
            }
        }

        showPreview(html) {
            const focused = this.preview.contains(document.activeElement) ? document.activeElement.value : null;
            const top = this.preview.querySelector(".recurrence-list")?.scrollTop ?? 0;
            const content = new DOMParser().parseFromString(html, "text/html").body.childNodes;
            this.preview.replaceChildren(...Array.from(content).map((part) => document.adoptNode(part)));
            const list = this.preview.querySelector(".recurrence-list");
            if (list) {
                list.scrollTop = top;
            }
            if (focused) {
                this.preview.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
            }
            if (!this.calendar.hidden) {
                this.showCalendar();
            }
        }

        // --- The calendar

        openCalendar() {
            this.calendar.hidden = false;
            this.root.querySelector(".recurrence-open").setAttribute("aria-expanded", "true");
            this.showCalendar();
            this.updateSoon();
        }

        closeCalendar() {
            this.calendar.hidden = true;
            this.root.querySelector(".recurrence-open").setAttribute("aria-expanded", "false");
        }

        // The days with an event, as the preview has them; before it is there, those that were picked.
        get days() {
            const boxes = [...this.preview.querySelectorAll(".recurrence-list input")];
            const shown = boxes.filter((box) => box.checked).map((box) => box.value.slice(0, 10));
            return new Set(boxes.length ? shown : splitDates(this.input("rdate")).map((date) => date.slice(0, 10)));
        }

        showCalendar() {
            const today = new Date().toISOString().slice(0, 10);
            const first = Date.parse(`${(this.shownMonth ?? (this.start || today)).slice(0, 7)}-01T00:00Z`);
            if (Number.isNaN(first)) {
                return;
            }
            const language = document.documentElement.lang || "en";
            const format = (time, options) =>
                new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options }).format(time);
            const month = new Date(first);
            const moved = (count) =>
                new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + count, 1)).toISOString().slice(0, 10);
            const make = (tag, properties, ...children) => {
                const element = Object.assign(document.createElement(tag), properties);
                element.append(...children);
                return element;
            };
            const step = (side, count, text) => {
                const button = make("button", { type: "button", ariaLabel: this.calendar.dataset[side] }, text);
                Object.assign(button.dataset, { month: moved(count), side });
                return button;
            };
            const name = make("span", {}, format(first, { month: "long", year: "numeric" }));
            name.setAttribute("aria-live", "polite");
            const head = make("div", { className: "recurrence-month" }, step("previous", -1, "‹"), name, step("next", 1, "›"));
            const grid = make("div", { className: "recurrence-grid" });
            // From a Monday on.
            const begin = first - ((month.getUTCDay() + 6) % 7) * DAY;
            for (let day = 0; day < 7; day += 1) {
                const label = make("span", {}, format(begin + day * DAY, { weekday: "short" }));
                label.setAttribute("aria-hidden", "true");
                grid.append(label);
            }
            const days = this.days;
            for (let time = begin; time < Date.parse(`${moved(1)}T00:00Z`); time += DAY) {
                const text = new Date(time).toISOString().slice(0, 10);
                if (time < first) {
                    grid.append(make("span", {}));
                    continue;
                }
                const button = make("button", { type: "button" }, String(new Date(time).getUTCDate()));
                button.dataset.day = text;
                button.ariaLabel = format(time, { dateStyle: "full" });
                button.setAttribute("aria-pressed", String(days.has(text)));
                grid.append(button);
            }
            const focused = this.calendar.contains(document.activeElement) ? document.activeElement.dataset.day : null;
            this.calendar.replaceChildren(head, grid);
            if (focused) {
                this.calendar.querySelector(`[data-day="${focused}"]`)?.focus();
            }
        }

        toggleDay(button) {
            const { day } = button.dataset;
            const isOn = button.getAttribute("aria-pressed") === "true";
            const box = [...this.preview.querySelectorAll(".recurrence-list input")].find(
                ({ value }) => value.slice(0, 10) === day,
            );
            button.setAttribute("aria-pressed", String(!isOn));
            if (box) {
                box.click();
            } else {
                toggleDate(this.input("rdate"), day, !isOn);
            }
        }
    }

    document.addEventListener("DOMContentLoaded", () => {
        document.querySelectorAll(".recurrence").forEach((root) => new Recurrence(root));
    });
})();
