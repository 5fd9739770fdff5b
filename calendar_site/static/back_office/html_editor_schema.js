// The schema of the editor: as much as possible of the HTML that the service accepts (calendar_site/core/text/html.py).

const LINK = /^(https?:|mailto:|tel:)/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export const isValidURL = (text) => LINK.test(text) || !SCHEME.test(text.replace(/[\u0000-\u0020]/g, ""));

const attributes = (...names) =>
    Object.fromEntries(
        names.map((name) => [name, { default: null, parseHTML: (element) => element.getAttribute(name) }]),
    );

export const createExtensions = (library) => {
    const { Node, Mark, Extension } = library;

    const OWN = { q: ["cite"], time: ["datetime"] };
    const marks = "q cite abbr acronym bdi data dfn ins time kbd mark samp small span tt var".split(" ").map((name) =>
        Mark.create({
            name,
            excludes: "",
            // Around those that only change the looks, which therefore do not cut them in pieces.
            priority: 900,
            addAttributes: () => attributes(...(OWN[name] ?? [])),
            parseHTML: () => [{ tag: name }],
            renderHTML: ({ HTMLAttributes }) => [name, HTMLAttributes, 0],
        }),
    );

    // Marks with several tags, which they keep.
    const either = (mark, ...tags) =>
        mark.extend({
            addAttributes: () => ({
                tag: {
                    default: tags[0],
                    parseHTML: ({ localName }) => (tags.includes(localName) ? localName : tags[0]),
                    renderHTML: () => ({}),
                },
            }),
            renderHTML: ({ mark: { attrs }, HTMLAttributes }) => [attrs.tag, HTMLAttributes, 0],
        });

    const block = (name, content, more = {}) =>
        Node.create({
            name,
            group: "block",
            content,
            defining: true,
            parseHTML: () => [{ tag: name }],
            renderHTML: ({ HTMLAttributes }) => [name, HTMLAttributes, 0],
            ...more,
        });
    const blocks = [
        ...["article", "aside", "div", "footer", "header", "hgroup", "nav"].map((name) => block(name, "block+")),
        block("figure", "(block | figcaption)+"),
        block("figcaption", "inline*", { group: "" }),
        block("dl", "(dt | dd)+"),
        block("dt", "inline*", { group: "" }),
        block("dd", "block+", { group: "" }),
        block("details", "summary? block+", {
            // Open, or nobody could write into it.
            addNodeView: () => () => {
                const dom = Object.assign(document.createElement("details"), { open: true });
                return { dom, contentDOM: dom, ignoreMutation: ({ type }) => type === "attributes" };
            },
        }),
        block("summary", "inline*", { group: "" }),
        block("pre", "inline*", {
            code: true,
            whitespace: "pre",
            parseHTML: () => [{ tag: "pre", preserveWhitespace: "full" }],
            addKeyboardShortcuts() {
                return {
                    Enter: ({ editor }) => editor.isActive("pre") && editor.commands.insertContent("\n"),
                    "Mod-Enter": ({ editor }) => editor.isActive("pre") && editor.commands.exitCode(),
                };
            },
        }),
    ];

    const single = (name, own) =>
        Node.create({
            name,
            group: "inline",
            inline: true,
            draggable: true,
            addAttributes: () => attributes(...own),
            parseHTML: () => [{ tag: name }],
            renderHTML: ({ HTMLAttributes }) => [name, HTMLAttributes],
        });

    const dataAttribute = (name) => ({
        default: null,
        parseHTML: (element) => element.dataset[name] ?? null,
        renderHTML: (attrs) => (attrs[name] ? { [`data-${name}`]: attrs[name] } : {}),
    });
    const cell = (node, ...own) =>
        node.extend({
            addAttributes() {
                return { ...this.parent(), ...attributes("align", ...own) };
            },
        });
    // The Tab key leaves the editor, wherever the cursor is.
    const withoutTab = (node) =>
        node.extend({
            addKeyboardShortcuts() {
                const { Tab, "Shift-Tab": back, ...others } = this.parent();
                return others;
            },
        });

    const known = [
        library.Blockquote.extend({ addAttributes: () => attributes("cite") }),
        either(library.Bold, "strong", "b"),
        either(library.Italic, "em", "i"),
        either(library.Strike, "s", "del", "strike"),
        library.Code.extend({ excludes: "", priority: 500 }),
        library.Underline,
        library.Subscript,
        library.Superscript,
        library.BulletList,
        library.OrderedList.extend({
            addNodeView: null,
            addAttributes: () => ({
                start: {
                    default: 1,
                    parseHTML: (element) => Number.parseInt(element.getAttribute("start") ?? 1, 10),
                    renderHTML: ({ start }) => (start === 1 ? {} : { start }),
                },
            }),
        }),
        withoutTab(library.ListItem),
        library.HardBreak,
        library.Heading,
        library.HorizontalRule,
        library.Link.extend({
            addAttributes: () => attributes("href", "hreflang", "target"),
        }).configure({ openOnClick: false, defaultProtocol: "https", isAllowedUri: isValidURL }),
        library.Paragraph.extend({ addAttributes: () => ({ form: dataAttribute("form") }) }),
        withoutTab(library.Table),
        library.TableRow.extend({ addAttributes: () => ({ group: dataAttribute("group") }) }),
        cell(library.TableCell),
        cell(library.TableHeader, "scope"),
        ...marks,
        ...blocks,
        single("img", ["src", "alt", "width", "height"]),
        single("wbr", []),
    ];
    return [
        library.Document,
        library.Text,
        library.Dropcursor,
        library.Gapcursor,
        library.UndoRedo,
        ...known,
        Extension.create({
            name: "everywhere",
            addGlobalAttributes: () => [
                { types: known.map(({ name }) => name), attributes: attributes("title", "lang", "dir") },
            ],
        }),
    ];
};
