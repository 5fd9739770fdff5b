"use strict";

{
    const start = ($) => {
        const within = (number) => Math.min(Math.max(number, 0), 1);

        // --- Uploads

        const withName = (file, text) => interpolate(gettext("%(label)s: %(text)s"), { label: file.name, text }, true);

        const send = async (file, input, fields) => {
            const body = new FormData();
            const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
            Object.entries({ ...fields, csrfmiddlewaretoken: token }).forEach(([name, value]) => body.append(name, value));
            body.append("images", file);
            const failed = (text) => [{ text: withName(file, text), image: null }];
            try {
                const answer = await fetch(input.dataset.url, {
                    method: "POST",
                    body,
                    headers: { Accept: "application/json" },
                });
                return answer.status === 413 ? failed(input.dataset.tooLarge) : (await answer.json()).results;
            } catch {
                return failed(input.dataset.failed);
            }
        };

        const resultItem = ({ text, url, image }) => {
            const item = document.createElement("li");
            const label = item.appendChild(document.createElement(url ? "a" : "span"));
            label.textContent = text;
            if (url) {
                label.href = url;
            }
            item.classList.toggle("error", image === null);
            return item;
        };

        // Sends each file by itself, since a request may not carry many, and shows the results. `fields` has those of each file.
        const upload = async (input, files, fields) => {
            const list = input.parentNode.querySelector(".upload-results") || document.createElement("ul");
            list.className = "upload-results";
            list.setAttribute("role", "status");
            list.replaceChildren();
            input.after(list);
            input.disabled = true;
            for (const [place, file] of files.entries()) {
                const sending = list.appendChild(resultItem({ text: withName(file, input.dataset.sending) }));
                const results = await send(file, input, fields[place]);
                sending.replaceWith(...results.map(resultItem));
            }
            input.disabled = false;
            input.value = "";
        };

        // Asks for the alternative text of each file, if there are several.
        const describeFiles = (input) => {
            const { alt, decorative } = input.form.elements;
            const list = document.createElement("ul");
            list.className = "upload-descriptions";
            input.after(list);
            const describeFile = (file, place) => {
                const item = document.createElement("li");
                const text = document.createElement("input");
                Object.assign(text, { type: "text", required: true, maxLength: alt.maxLength, className: alt.className });
                text.setAttribute("aria-label", withName(file, input.dataset.altLabel));
                text.placeholder = input.dataset.altLabel;
                text.dataset.missing = input.dataset.missingAlt;
                const box = document.createElement("input");
                Object.assign(box, { type: "checkbox", id: `decorative_${place}` });
                box.addEventListener("change", () => {
                    text.disabled = box.checked;
                });
                const label = document.createElement("label");
                label.append(box, input.dataset.decorativeLabel);
                const name = document.createElement("strong");
                name.textContent = file.name;
                item.append(name, text, label);
                list.append(item);
                return () => ({ alt: text.disabled ? "" : text.value, ...(box.checked ? { decorative: "on" } : {}) });
            };
            let readers = [];
            const update = () => {
                const files = input.files.length > 1 ? [...input.files] : [];
                list.replaceChildren();
                readers = files.map(describeFile);
                for (const field of [alt, decorative]) {
                    field.closest(".field-line").hidden = files.length > 0;
                    field.disabled = files.length > 0;
                }
                alt.disabled ||= decorative.checked;
            };
            decorative.addEventListener("change", update);
            input.addEventListener("change", update);
            update();
            return () => {
                const fields = readers.map((read) => read());
                list.replaceChildren();
                return fields;
            };
        };

        $(".drop-zone[multiple]").each((_index, input) => {
            const readDescriptions = describeFiles(input);
            // The form is not sent while files are uploading.
            input.form.addEventListener("submit", (event) => {
                if (input.disabled) {
                    event.preventDefault();
                } else if (input.files.length > 1) {
                    event.preventDefault();
                    if (input.form.reportValidity()) {
                        const credit = input.form.elements.credit.value;
                        upload(input, [...input.files], readDescriptions().map((fields) => ({ ...fields, credit })));
                    }
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
            const thumbnail = row.appendChild(document.createElement("img"));
            Object.assign(thumbnail, { src: choice.thumbnail, alt: "", className: "thumbnail" });
            row.append(choice.text);
            return row;
        };

        // Fetches an image as it is now; null where that fails.
        const fetchImage = async (select, id) => {
            const { "ajax-Url": url, appLabel, modelName, fieldName } = select.dataset;
            const query = new URLSearchParams({ app_label: appLabel, model_name: modelName, field_name: fieldName, id });
            try {
                return (await (await fetch(`${url}?${query}`)).json()).results[0] || null;
            } catch {
                return null;
            }
        };

        $(".image-picker").each((_index, control) => {
            const select = $(control).find("select");
            const figure = control.querySelector("figure");
            const show = (image) => {
                figure.hidden = !image;
                if (image) {
                    figure.querySelector("img").src = image.medium;
                    figure.querySelector("figcaption").textContent = 
                        image.alt || (image.decorative ? control.dataset.decorative : control.dataset.withoutAlt);
                }
            };

            select.data("select2").options.set("templateResult", withThumbnail);
            select.on("select2:select", (event) => show(event.params.data));
            select.on("select2:clear", () => show(null));
            // The popup in which the image was changed updates the option.
            select.on("change", "option", async ({ target }) => {
                const image = target.selected && target.value && (await fetchImage(select[0], target.value));
                if (image && target.selected) {
                    show(image);
                }
            });

            const button = control.querySelector(".open-image-dialog");
            button.hidden = false;
            button.addEventListener("click", async () => {
                const image = await chooseImage(button.dataset.url);
                if (image) {
                    const known = select.find("option").filter((_place, option) => option.value === image.id)[0];
                    if (known) {
                        select.val(image.id);
                    } else {
                        select.append(new Option(image.text, image.id, true, true));
                    }
                    select.trigger("change");
                    show(image);
                }
            });
        });

        // --- The focal point

        const button = document.querySelector(".focal-point");
        const numbers = ["x", "y"].map((axis) => document.getElementById(`id_focus_${axis}`));
        if (!button || !numbers.every(Boolean)) {
            return;
        }
        const [picture, marker] = button.children;
        const crop = document.querySelector("[data-size=thumbnail]");

        // The offset of a crop as a share of the remaining space, which is what `object-position` takes.
        const cropOffset = (focus, whole, part) => (whole > part ? within((focus * whole - part / 2) / (whole - part)) : 0.5);

        const draw = () => {
            const [x, y] = numbers.map((number) => within(Number(number.value)));
            Object.assign(marker.style, { left: `${x * 100}%`, top: `${y * 100}%` });
            if (crop) {
                const [width, height] = [Number(crop.getAttribute("width")), Number(crop.getAttribute("height"))];
                const scale = Math.min(picture.naturalWidth / width, picture.naturalHeight / height);
                const left = cropOffset(x, picture.naturalWidth, width * scale);
                const top = cropOffset(y, picture.naturalHeight, height * scale);
                crop.src = picture.src;
                Object.assign(crop.style, {
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
            // Not the click of the Enter key, which has no position.
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
        // After the scripts of the admin, which create the widgets that these extend.
        django.jQuery(start);
    });
}
