// A text with markup: written in an editor, or as HTML. What was there stays to the letter until somebody changes it.

const loaded = async ({ editor, schema, markup, tools }) => {
    const modules = await Promise.all([editor, schema, markup, tools].map((address) => import(address)));
    return Object.assign({}, ...modules.slice(1), { library: modules[0] });
};

class RichText {
    constructor(textarea, modules) {
        this.textarea = textarea;
        this.modules = modules;
        this.label = document.querySelector(`label[for="${textarea.id}"]`);
        const { make } = modules;
        this.asText = make("button", { type: "button" }, gettext("Text"));
        this.asSource = make("button", { type: "button" }, gettext("HTML source"));
        this.said = make("p", { role: "status" });
        const modes = make(
            "div",
            { className: "rich-text-modes", role: "group", "aria-label": gettext("How this is written") },
            this.asText,
            this.asSource,
        );
        this.surface = make("div");
        this.frame = make("div", { className: "rich-text" }, modes, this.said, this.surface);
        textarea.before(this.frame);
        this.frame.append(textarea);
        this.asText.addEventListener("click", () => this.open() && this.editor.commands.focus());
        this.asSource.addEventListener("click", () => {
            this.close();
            textarea.focus();
        });
        this.label?.addEventListener("click", () => this.editor?.commands.focus());
        this.open();
    }

    // Shows the text in the editor, where it can show all of it. Answers whether it does.
    open() {
        if (this.editor) {
            return true;
        }
        const { library, extensionsOf, prepared, finished, isSame, cleaned, toolbarFor, isAddress } = this.modules;
        const { textarea } = this;
        const given = textarea.value;
        const holder = document.createElement("div");
        const name = this.label?.textContent.trim() ?? "";
        const attributes = { role: "textbox", "aria-multiline": "true", "aria-label": name };
        if (textarea.getAttribute("aria-describedby")) {
            attributes["aria-describedby"] = textarea.getAttribute("aria-describedby");
        }
        const editor = new library.Editor({
            element: holder,
            extensions: extensionsOf(library),
            content: prepared(given),
            injectCSS: false,
            enableInputRules: false,
            enablePasteRules: ["link"],
            editorProps: {
                attributes,
                transformPastedHTML: cleaned,
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
        const written = () => finished(editor.getHTML());
        const before = written();
        if (given.trim() && !isSame(given, before)) {
            editor.destroy();
            this.close();
            this.said.textContent = gettext(
                "This text holds HTML that the editor cannot show. It stays as source, so that nothing of it is lost.",
            );
            return false;
        }
        const toolbar = toolbarFor(editor, gettext("Tools for the text"), isAddress);
        editor.on("transaction", toolbar.refresh);
        editor.on("update", () => {
            const now = written();
            textarea.value = now === before ? given : editor.isEmpty ? "" : now;
            textarea.dispatchEvent(new Event("input", { bubbles: true }));
        });
        this.editor = editor;
        this.said.textContent = "";
        this.surface.replaceChildren(toolbar.bar, holder);
        this.show();
        return true;
    }

    // Shows the text as HTML.
    close() {
        this.editor?.destroy();
        this.editor = null;
        this.said.textContent = "";
        this.surface.replaceChildren();
        this.show();
    }

    show() {
        const isText = Boolean(this.editor);
        this.textarea.hidden = isText;
        this.asText.setAttribute("aria-pressed", String(isText));
        this.asSource.setAttribute("aria-pressed", String(!isText));
    }
}

for (const textarea of document.querySelectorAll("textarea[data-rich-text]")) {
    loaded(JSON.parse(textarea.dataset.richText)).then((modules) => new RichText(textarea, modules));
}
