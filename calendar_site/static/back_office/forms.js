"use strict";

document.addEventListener("DOMContentLoaded", () => {
    const $ = django.jQuery;

    // A list of chosen records is sent in the order of its options: the last one chosen goes last.
    $("select[data-ordered]").on("select2:select", function (event) {
        const chosen = Array.from(this.options).find((option) => option.value === event.params.data.id);
        this.append(chosen);
        $(this).trigger("change");
    });

    // A filter by a record takes effect when the record is chosen; none leaves no trace in the address.
    $(".link-filter select").on("change", function () {
        this.disabled = !this.value;
        this.form.requestSubmit();
    });

    // A whole day has no time of day.
    const allDay = document.getElementById("id_all_day");
    const times = ["id_start", "id_end"].map((id) => document.getElementById(id)).filter(Boolean);
    const showTimes = () => {
        for (const input of times) {
            const [day, time] = input.value.split("T");
            input.dataset.time = time || input.dataset.time || "00:00";
            input.type = allDay.checked ? "date" : "datetime-local";
            input.value = !day || allDay.checked ? day : `${day}T${input.dataset.time}`;
        }
    };
    if (allDay && times.length) {
        allDay.addEventListener("change", showTimes);
        showTimes();
    }
});
