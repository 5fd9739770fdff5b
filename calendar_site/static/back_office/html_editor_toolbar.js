// The toolbar of the editor, and the dialogs of its tools.

const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name in element) {
            element[name] = value;
        } else {
            element.setAttribute(name, value);
        }
    }
    element.append(...children);
    return element;
};

// Shows a dialog with text inputs; resolves to their values by name, or null. A field may have `validate`, which returns an error.
const showDialog = (title, fields, extra = []) =>
    new Promise((resolve) => {
        const inputs = fields.map(({ name, label, value = "", required = false }) => {
            const input = make("input", { type: "text", name, value, required, autocomplete: "off" });
            return [input, make("label", {}, label, input)];
        });
        const buttons = [
            make("button", { type: "submit", value: "ok", className: "is-main" }, gettext("Apply")),
            ...extra.map(([value, label]) => make("button", { type: "submit", value, formNoValidate: true }, label)),
            make("button", { type: "submit", value: "", formNoValidate: true }, gettext("Cancel")),
        ];
        const form = make("form", { method: "dialog" }, make("h2", {}, title), ...inputs.map(([, label]) => label));
        form.append(make("p", {}, ...buttons));
        const dialog = make("dialog", { className: "html-editor-dialog", "aria-label": title }, form);
        form.addEventListener("input", () => inputs.forEach(([input]) => input.setCustomValidity("")));
        form.addEventListener("submit", (event) => {
            if (event.submitter?.value !== "ok") {
                return;
            }
            inputs.forEach(([input], place) => {
                const error = fields[place].validate?.(input.value.trim());
                if (error) {
                    event.preventDefault();
                    input.setCustomValidity(error);
                    input.reportValidity();
                }
            });
        });
        dialog.addEventListener("close", () => {
            dialog.remove();
            const values = Object.fromEntries(inputs.map(([input]) => [input.name, input.value.trim()]));
            resolve(dialog.returnValue ? { ...values, answer: dialog.returnValue } : null);
        });
        document.body.append(dialog);
        dialog.showModal();
    });

const withScheme = (text) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(text) || /^[/#?]/.test(text)) {
        return text;
    }
    return /^[^\s/@]+@[^\s/@]+$/.test(text) ? `mailto:${text}` : `https://${text}`;
};

const validateURL = (isValidURL) => (text) =>
    isValidURL(withScheme(text)) ? "" : gettext("Enter a URL that starts with https://, mailto: or tel:.");

const editLink = async (editor, isValidURL) => {
    const { href, title } = editor.getAttributes("link");
    const values = await showDialog(
        gettext("Link"),
        [
            { name: "href", label: gettext("URL"), value: href ?? "", required: true, validate: validateURL(isValidURL) },
            { name: "title", label: gettext("Title (tooltip)"), value: title ?? "" },
        ],
        href ? [["remove", gettext("Remove link")]] : [],
    );
    if (!values) {
        return;
    }
    const chain = editor.chain().focus().extendMarkRange("link");
    if (values.answer === "remove") {
        chain.unsetLink().run();
        return;
    }
    const attrs = { ...editor.getAttributes("link"), href: withScheme(values.href), title: values.title || null };
    if (editor.state.selection.empty && !href) {
        const mark = { type: "link", attrs };
        chain.insertContent({ type: "text", text: values.href, marks: [mark] }).run();
    } else {
        chain.setLink(attrs).run();
    }
};

const editImage = async (editor, isValidURL, libraryURL, chosen = null) => {
    const { src, alt, ...others } = editor.getAttributes("img");
    const validate = (text) => (/^(https?:|\/)/i.test(withScheme(text)) ? validateURL(isValidURL)(text) : gettext("Enter a URL."));
    const fields = [
        { name: "src", label: gettext("URL"), value: chosen?.src ?? src ?? "", required: true, validate },
        { name: "alt", label: gettext("Alternative text"), value: chosen?.alt ?? alt ?? "" },
    ];
    if (!src) {
        fields.push({ name: "caption", label: gettext("Caption") });
    }
    const fromLibrary = ["library", gettext("Choose from the library…")];
    const values = await showDialog(gettext("Image"), fields, libraryURL ? [fromLibrary] : []);
    if (!values) {
        return;
    }
    if (values.answer === "library") {
        const image = await window.chooseImage(libraryURL);
        // Clients of the API are not on this site.
        const kept = { src: values.src, alt: values.alt };
        const next = image ? { src: new URL(image.large, location.href).href, alt: image.alt } : kept;
        await editImage(editor, isValidURL, libraryURL, next);
        return;
    }
    const image = { type: "img", attrs: { ...others, src: withScheme(values.src), alt: values.alt } };
    if (!values.caption) {
        editor.chain().focus().insertContent(image).run();
        return;
    }
    const caption = { type: "figcaption", content: [{ type: "text", text: values.caption }] };
    const picture = { type: "paragraph", attrs: { form: "bare" }, content: [image] };
    editor.chain().focus().insertContent({ type: "figure", content: [picture, caption] }).run();
};

const toggle = (name, icon, label, command, shortcut) => ({
    icon,
    label,
    shortcut,
    run: (editor) => editor.chain().focus()[command]().run(),
    isActive: (editor) => editor.isActive(name),
    can: (editor) => editor.can()[command](),
});

const step = (icon, label, command, ...more) => ({
    icon,
    label,
    run: (editor) => editor.chain().focus()[command](...more).run(),
    can: (editor) => editor.can()[command](...more),
    ...(command === "undo" ? { shortcut: "Control+Z" } : {}),
});

const inTable = (tool) => ({ ...tool, isShown: (editor) => editor.isActive("table") });

const toolsFor = (isValidURL, libraryURL) => [
    [
        toggle("bold", "format_bold", gettext("Bold"), "toggleBold", "Control+B"),
        toggle("italic", "format_italic", gettext("Italic"), "toggleItalic", "Control+I"),
        toggle("underline", "format_underlined", gettext("Underline"), "toggleUnderline", "Control+U"),
        toggle("strike", "strikethrough_s", gettext("Strikethrough"), "toggleStrike"),
        toggle("subscript", "subscript", gettext("Subscript"), "toggleSubscript"),
        toggle("superscript", "superscript", gettext("Superscript"), "toggleSuperscript"),
        toggle("code", "code", gettext("Code"), "toggleCode"),
    ],
    [
        {
            icon: "link",
            label: gettext("Link"),
            shortcut: "Control+K",
            run: (editor) => editLink(editor, isValidURL),
            isActive: (editor) => editor.isActive("link"),
            can: () => true,
        },
        {
            icon: "image",
            label: gettext("Image"),
            run: (editor) => editImage(editor, isValidURL, libraryURL),
            isActive: (editor) => editor.isActive("img"),
            can: () => true,
        },
    ],
    [
        toggle("bulletList", "format_list_bulleted", gettext("Bulleted list"), "toggleBulletList"),
        toggle("orderedList", "format_list_numbered", gettext("Numbered list"), "toggleOrderedList"),
        {
            ...step("format_indent_decrease", gettext("Decrease indent"), "liftListItem", "listItem"),
            isShown: (editor) => editor.isActive("listItem"),
        },
        {
            ...step("format_indent_increase", gettext("Increase indent"), "sinkListItem", "listItem"),
            isShown: (editor) => editor.isActive("listItem"),
        },
        toggle("blockquote", "format_quote", gettext("Quote"), "toggleBlockquote"),
        step("horizontal_rule", gettext("Horizontal line"), "setHorizontalRule"),
        step("table", gettext("Table"), "insertTable", { rows: 3, cols: 2, withHeaderRow: true }),
    ],
    [
        inTable(step("add_row_below", gettext("Insert row below"), "addRowAfter")),
        inTable(step("add_column_right", gettext("Insert column right"), "addColumnAfter")),
        inTable(step("table_rows", gettext("Delete row"), "deleteRow")),
        inTable(step("view_column", gettext("Delete column"), "deleteColumn")),
        inTable(step("delete", gettext("Delete table"), "deleteTable")),
    ],
    [
        step("format_clear", gettext("Clear formatting"), "unsetAllMarks"),
        step("undo", gettext("Undo"), "undo"),
        step("redo", gettext("Redo"), "redo"),
    ],
];

const BLOCKS = [
    ["paragraph", {}, () => gettext("Text")],
    ...[2, 3, 4].map((level) => ["heading", { level }, () => interpolate(gettext("Heading %s"), [level])]),
    ["pre", {}, () => gettext("Preformatted")],
];

const blockChooser = (editor) => {
    const select = make("select", { "aria-label": gettext("Paragraph style"), title: gettext("Paragraph style") });
    const others = make("option", { value: "", disabled: true, hidden: true }, "–");
    select.append(others, ...BLOCKS.map(([, , label], place) => make("option", { value: place }, label())));
    select.addEventListener("change", () => {
        const [name, attrs] = BLOCKS[Number(select.value)];
        editor.chain().focus().setNode(name, attrs).run();
    });
    const refresh = () => {
        const place = BLOCKS.findIndex(([name, attrs]) => editor.isActive(name, attrs));
        select.value = place < 0 ? "" : String(place);
    };
    return { element: select, refresh };
};

const buttonFor = (tool, editor) => {
    const icon = make("span", { className: "material-symbols-outlined", "aria-hidden": "true" }, tool.icon);
    const keys = tool.shortcut ? ` (${tool.shortcut.replace("Control", gettext("Ctrl"))})` : "";
    const button = make("button", { type: "button", title: tool.label + keys, "aria-label": tool.label }, icon);
    if (tool.shortcut) {
        button.setAttribute("aria-keyshortcuts", tool.shortcut);
    }
    button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") !== "true") {
            tool.run(editor);
        }
    });
    const refresh = () => {
        button.setAttribute("aria-disabled", String(!tool.can(editor)));
        if (tool.isActive) {
            button.setAttribute("aria-pressed", String(tool.isActive(editor)));
        }
        button.hidden = tool.isShown ? !tool.isShown(editor) : false;
    };
    return { element: button, refresh };
};

// A single tab stop, in which the arrow keys move.
const addArrowKeys = (bar) => {
    const stops = () => [...bar.querySelectorAll("button, select")].filter((element) => !element.hidden);
    const choose = (element) => {
        bar.querySelectorAll("button, select").forEach((other) => (other.tabIndex = other === element ? 0 : -1));
    };
    bar.addEventListener("keydown", (event) => {
        const known = stops();
        const place = known.indexOf(document.activeElement);
        const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: known.length - 1 }[event.key];
        if (next !== undefined && place >= 0) {
            event.preventDefault();
            known.at(next % known.length).focus();
        }
    });
    bar.addEventListener("focusin", (event) => choose(event.target.closest("button, select")));
    choose(stops()[0]);
    return () => {
        if (!stops().some((element) => element.tabIndex === 0)) {
            choose(stops()[0]);
        }
    };
};

export const createToolbar = (editor, label, isValidURL, libraryURL) => {
    const chooser = blockChooser(editor);
    const groups = toolsFor(isValidURL, libraryURL).map((tools) => tools.map((tool) => buttonFor(tool, editor)));
    const bar = make("div", { className: "html-editor-tools", role: "toolbar", "aria-label": label }, chooser.element);
    groups.forEach((group) => bar.append(make("span", {}, ...group.map(({ element }) => element))));
    const keepStop = addArrowKeys(bar);
    const refresh = () => {
        [chooser, ...groups.flat()].forEach((control) => control.refresh());
        keepStop();
    };
    refresh();
    return { bar, refresh, link: () => editLink(editor, isValidURL) };
};

export { make };
