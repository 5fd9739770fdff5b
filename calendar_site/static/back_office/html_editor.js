// Edits a text in an editor or as HTML source. The stored HTML stays to the letter until the user changes it.

const loadModules = async ({ editor, schema, markup, tools }) => {
    const modules = await Promise.all([editor, schema, markup, tools].map((url) => import(url)));
    return Object.assign({}, ...modules.slice(1), { library: modules[0] });
};

class HTMLEditor {
    constructor(textarea, modules) {
        this.textarea = textarea;
        this.modules = modules;
        this.label = document.querySelector(`label[for="${textarea.id}"]`);
        const { make } = modules;
        this.textButton = make("button", { type: "button" }, gettext("Text"));
        this.sourceButton = make("button", { type: "button" }, gettext("HTML source"));
        this.message = make("p", { role: "status" });
        const modes = make(
            "div",
            { className: "html-editor-modes", role: "group", "aria-label": gettext("Editor mode") },
            this.textButton,
            this.sourceButton,
        );
        this.surface = make("div");
        this.frame = make("div", { className: "html-editor" }, modes, this.message, this.surface);
        textarea.before(this.frame);
        this.frame.append(textarea);
        this.textButton.addEventListener("click", () => this.open() && this.editor.commands.focus());
        this.sourceButton.addEventListener("click", () => {
            this.close();
            textarea.focus();
        });
        this.label?.addEventListener("click", () => this.editor?.commands.focus());
        this.open();
    }

    // Shows the text in the editor where it can show all of it, and returns whether it does.
    open() {
        if (this.editor) {
            return true;
        }
        const { library, createExtensions, prepareHTML, finishHTML, isSame, cleanPastedHTML, createToolbar, isValidURL } = this.modules;
        const { textarea } = this;
        const stored = textarea.value;
        const holder = document.createElement("div");
        const name = this.label?.textContent.trim() ?? "";
        const attributes = { role: "textbox", "aria-multiline": "true", "aria-label": name };
        if (textarea.getAttribute("aria-describedby")) {
            attributes["aria-describedby"] = textarea.getAttribute("aria-describedby");
        }
        const editor = new library.Editor({
            element: holder,
            extensions: createExtensions(library),
            content: prepareHTML(stored),
            injectCSS: false,
            enableInputRules: false,
            enablePasteRules: ["link"],
            editorProps: {
                attributes,
                transformPastedHTML: cleanPastedHTML,
                handleKeyDown: (_view, event) => {
                    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
                        event.preventDefault();
                        toolbar.link();
                        return true;
                    }
                    return false;
                },
            },
        });
        editor.commands.fixTables();
        const editedHTML = () => finishHTML(editor.getHTML());
        const before = editedHTML();
        if (stored.trim() && !isSame(stored, before)) {
            editor.destroy();
            this.close();
            this.message.textContent = gettext(
                "This text contains HTML that the editor cannot display. It is shown as HTML source so that nothing is lost.",
            );
            return false;
        }
        const toolbar = createToolbar(editor, gettext("Formatting toolbar"), isValidURL, this.textarea.dataset.imageDialog);
        editor.on("transaction", toolbar.refresh);
        editor.on("update", () => {
            const now = editedHTML();
            textarea.value = now === before ? stored : editor.isEmpty ? "" : now;
            textarea.dispatchEvent(new Event("input", { bubbles: true }));
        });
        this.editor = editor;
        this.message.textContent = "";
        this.surface.replaceChildren(toolbar.bar, holder);
        this.show();
        return true;
    }

    // Shows the text as HTML source.
    close() {
        this.editor?.destroy();
        this.editor = null;
        this.message.textContent = "";
        this.surface.replaceChildren();
        this.show();
    }

    show() {
        const isText = Boolean(this.editor);
        this.textarea.hidden = isText;
        this.textButton.setAttribute("aria-pressed", String(isText));
        this.sourceButton.setAttribute("aria-pressed", String(!isText));
    }
}

for (const textarea of document.querySelectorAll("textarea[data-html-editor]")) {
    loadModules(JSON.parse(textarea.dataset.htmlEditor)).then((modules) => new HTMLEditor(textarea, modules));
}
