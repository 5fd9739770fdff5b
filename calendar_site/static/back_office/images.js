"use strict";

const start = ($) => {
    const within = (number) => Math.min(Math.max(number, 0), 1);

    // --- Uploads

    const send = async (file, input, fields) => {
        const body = new FormData();
        const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
        Object.entries({ ...fields, csrfmiddlewaretoken: token }).forEach(([name, value]) => body.append(name, value));
        body.append("pictures", file);
        const failed = (text) => [{ text: `${file.name}: ${text}`, image: null }];
        try {
            const answer = await fetch(input.dataset.address, {
                method: "POST",
                body,
                headers: { Accept: "application/json" },
            });
            return answer.status === 413 ? failed(input.dataset.tooLarge) : (await answer.json()).results;
        } catch {
            return failed(input.dataset.failed);
        }
    };

    const line = ({ text, address, image }) => {
        const item = document.createElement("li");
        const words = item.appendChild(document.createElement(address ? "a" : "span"));
        words.textContent = text;
        if (address) {
            words.href = address;
        }
        item.classList.toggle("fault", image === null);
        return item;
    };

    // Sends each file by itself, since a request may not carry many, says what became of it, and answers the images.
    const upload = async (input, files, fields = {}) => {
        const outcomes = input.parentNode.querySelector(".outcomes") || document.createElement("ul");
        outcomes.className = "outcomes";
        outcomes.setAttribute("role", "status");
        outcomes.replaceChildren();
        input.after(outcomes);
        input.disabled = true;
        const images = [];
        for (const file of files) {
            const sending = outcomes.appendChild(line({ text: `${file.name}: ${input.dataset.sending}` }));
            const results = await send(file, input, fields);
            sending.replaceWith(...results.map(line));
            images.push(...results.map((result) => result.image).filter(Boolean));
        }
        input.disabled = false;
        input.value = "";
        return images;
    };

    $(".drop-zone").each((_index, input) => {
        // While files are on their way the form stays.
        input.form.addEventListener("submit", (event) => {
            if (input.disabled) {
                event.preventDefault();
            } else if (input.multiple && input.files.length > 1) {
                event.preventDefault();
                upload(input, [...input.files], { credit: input.form.elements.credit.value });
            }
        });
    });

    // --- Choosing the image of a record

    const withThumbnail = (choice) => {
        if (!choice.thumbnail) {
            return choice.text;
        }
        const row = document.createElement("span");
        row.className = "image-choice";
        const picture = row.appendChild(document.createElement("img"));
        Object.assign(picture, { src: choice.thumbnail, alt: "", className: "thumbnail" });
        row.append(choice.text);
        return row;
    };

    // An image as it is now; null where it cannot be told.
    const described = async (select, id) => {
        const { "ajax-Url": address, appLabel, modelName, fieldName } = select.dataset;
        const query = new URLSearchParams({ app_label: appLabel, model_name: modelName, field_name: fieldName, id });
        try {
            return (await (await fetch(`${address}?${query}`)).json()).results[0] || null;
        } catch {
            return null;
        }
    };

    $(".image-input").each((_index, control) => {
        const select = $(control).find("select");
        const figure = control.querySelector("figure");
        const show = (image) => {
            figure.hidden = !image;
            if (image) {
                figure.querySelector("img").src = image.picture;
                figure.querySelector("figcaption").textContent = image.alt || control.dataset.withoutAlt;
            }
        };

        select.data("select2").options.set("templateResult", withThumbnail);
        select.on("select2:select", (event) => show(event.params.data));
        select.on("select2:clear", () => show(null));
        // The popup in which the image was changed tells it to the option.
        select.on("change", "option", async ({ target }) => {
            const image = target.selected && target.value && (await described(select[0], target.value));
            if (image && target.selected) {
                show(image);
            }
        });

        const input = control.querySelector(".drop-zone");
        if (input) {
            $(control).find(".upload").prop("hidden", false);
            input.addEventListener("change", async () => {
                const [image] = await upload(input, [...input.files].slice(0, 1));
                if (image) {
                    select.append(new Option(image.text, image.id, true, true)).trigger("change");
                    show(image);
                }
            });
        }
    });

    // --- The focal point

    const button = document.querySelector(".focal-picture");
    const numbers = ["x", "y"].map((axis) => document.getElementById(`id_focus_${axis}`));
    if (!button || !numbers.every(Boolean)) {
        return;
    }
    const [picture, mark] = button.children;
    const cut = document.querySelector("[data-size=thumbnail]");

    // Where a cut begins, as a share of what is left over beside it: the way in which styles say it.
    const beginning = (focus, whole, part) => (whole > part ? within((focus * whole - part / 2) / (whole - part)) : 0.5);

    const draw = () => {
        const [x, y] = numbers.map((number) => within(Number(number.value)));
        Object.assign(mark.style, { left: `${x * 100}%`, top: `${y * 100}%` });
        if (cut) {
            const [width, height] = [Number(cut.getAttribute("width")), Number(cut.getAttribute("height"))];
            const scale = Math.min(picture.naturalWidth / width, picture.naturalHeight / height);
            const left = beginning(x, picture.naturalWidth, width * scale);
            const top = beginning(y, picture.naturalHeight, height * scale);
            cut.src = picture.src;
            Object.assign(cut.style, {
                width: `${width}px`,
                height: `${height}px`,
                objectFit: "cover",
                objectPosition: `${left * 100}% ${top * 100}%`,
            });
        }
    };

    const move = (...shares) => {
        numbers.forEach((number, place) => {
            number.value = within(shares[place]).toFixed(2);
        });
        draw();
    };

    button.disabled = false;
    button.setAttribute("aria-label", button.dataset.label);
    numbers.forEach((number) => number.addEventListener("input", draw));
    button.addEventListener("click", (event) => {
        // Not the click that the Enter key makes, which has no place.
        if (event.detail) {
            const frame = picture.getBoundingClientRect();
            move((event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
        }
    });
    button.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 0.1 : 0.01;
        const steps = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
        if (event.key in steps) {
            event.preventDefault();
            move(...steps[event.key].map((way, place) => Number(numbers[place].value) + way));
        }
    });
};

document.addEventListener("DOMContentLoaded", () => {
    // Unfold would look for a text beside each control for files, to write the name into it.
    document.querySelectorAll(".drop-zone").forEach((input) => Object.assign(input, { hasChangeListener: true }));
    // After the admin's own scripts: they make the controls that these go on from.
    django.jQuery(start);
});
