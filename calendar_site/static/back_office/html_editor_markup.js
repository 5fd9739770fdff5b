// Converts HTML for the editor and back, and compares it.

const INLINE = new Set(
    ("a abbr acronym b bdi br cite code data del dfn em i img ins kbd mark q s samp small span strike strong sub sup " +
        "time tt u var wbr").split(" "),
);
// Elements that hold paragraphs in the editor, and plain text in HTML as well.
const CONTAINERS = "article, aside, blockquote, dd, details, div, figure, footer, header, hgroup, li, nav, td, th";
// Elements in which a single paragraph is written without its tag.
const TIGHT = new Set(["dd", "li", "td", "th"]);
const BLANKS = /[ \t\r\n\f]+/g;
const ANY_TAG = /<[a-zA-Z/!]/;
// Inline elements of which two are not the same as one.
const COUNTED = "a, abbr, acronym, bdi, cite, data, dfn, ins, q, time";
// Attribute values that mean the same as no attribute.
const DEFAULTS = { colspan: "1", rowspan: "1", start: "1" };

const parseHTML = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template;
};

const isText = (node) => node.nodeType === Node.TEXT_NODE;
const isInline = (node) => isText(node) || INLINE.has(node.localName);
const isBlank = (node) => isText(node) && !node.data.replace(BLANKS, "");

// Makes paragraphs and line breaks of a text without tags, as the service does.
const addParagraphs = (text) => {
    if (ANY_TAG.test(text)) {
        return text;
    }
    const blocks = text.replace(/</g, "&lt;").split(/\n[ \t]*\n\s*/);
    return blocks
        .map((block) => block.trim())
        .filter(Boolean)
        .map((block) => `<p>${block.replace(/\n/g, "<br>")}</p>`)
        .join("");
};

const wrapText = (holder) => {
    let run = [];
    const wrap = () => {
        if (!run.every(isBlank)) {
            const paragraph = document.createElement("p");
            paragraph.dataset.form = "bare";
            run[0].before(paragraph);
            paragraph.append(...run);
        }
        run = [];
    };
    for (const node of [...holder.childNodes]) {
        if (isInline(node)) {
            run.push(node);
        } else {
            wrap();
        }
    }
    wrap();
};

const textsOf = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        found.push(walker.currentNode);
    }
    return found;
};

// Returns HTML as the editor reads it: all text is in paragraphs, which remember how they were written.
export const prepareHTML = (html) => {
    const template = parseHTML(addParagraphs(html));
    const root = template.content;
    for (const text of textsOf(root)) {
        if (!text.parentElement?.closest("pre")) {
            text.data = text.data.replace(BLANKS, " ");
        }
    }
    for (const paragraph of root.querySelectorAll("p")) {
        if (TIGHT.has(paragraph.parentElement?.localName)) {
            paragraph.dataset.form = "kept";
        }
    }
    [root, ...root.querySelectorAll(CONTAINERS)].forEach(wrapText);
    for (const row of root.querySelectorAll("tr")) {
        row.dataset.group = row.parentElement.localName;
    }
    return template.innerHTML;
};

const canBeBare = (element) => {
    if (element?.localName !== "p" || [...element.attributes].some(({ name }) => name !== "data-form")) {
        return false;
    }
    if (element.dataset.form || !TIGHT.has(element.parentElement?.localName)) {
        return element.dataset.form === "bare";
    }
    return [...element.parentElement.children].filter(({ localName }) => localName === "p").length === 1;
};

const regroup = (table) => {
    const rows = [...table.rows];
    table.replaceChildren();
    rows.forEach((row, place) => {
        const isHead = place === 0 && [...row.cells].every(({ localName }) => localName === "th");
        const name = row.dataset.group || (isHead ? "thead" : "tbody");
        row.removeAttribute("data-group");
        if (table.lastElementChild?.localName !== name) {
            table.append(document.createElement(name));
        }
        table.lastElementChild.append(row);
    });
};

// Returns the HTML to store for what the editor has written.
export const finishHTML = (html) => {
    const template = parseHTML(html);
    const root = template.content;
    const paragraphs = [...root.querySelectorAll("p")];
    const bare = paragraphs.filter(
        (paragraph) =>
            canBeBare(paragraph) &&
            !canBeBare(paragraph.previousElementSibling) &&
            !canBeBare(paragraph.nextElementSibling),
    );
    paragraphs.forEach((paragraph) => paragraph.removeAttribute("data-form"));
    bare.forEach((paragraph) => paragraph.replaceWith(...paragraph.childNodes));
    root.querySelectorAll("table").forEach(regroup);
    return template.innerHTML;
};

// --- Comparing

const signature = (element) => {
    const attributes = [...element.attributes]
        // The service sets `rel`.
        .filter(({ name, value }) => name !== "rel" && DEFAULTS[name] !== value)
        .map(({ name, value }) => [name, value])
        .sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify([element.localName, attributes]);
};

// Returns texts with the inline elements around them, in any order, and the edges of all other elements.
const partsOf = (html) => {
    const parts = [];
    const visit = (node, around, isPre) => {
        if (isText(node)) {
            const marks = [...around].sort().join();
            const text = isPre ? node.data : node.data.replace(BLANKS, " ");
            const last = parts.at(-1);
            if (last && last.isPre === isPre && last.marks === marks) {
                last.text += text;
            } else {
                parts.push({ text, marks, isPre });
            }
        } else if (node.nodeType === Node.ELEMENT_NODE) {
            const own = signature(node);
            if (isInline(node) && node.hasChildNodes()) {
                node.childNodes.forEach((child) => visit(child, [...around, own], isPre));
            } else {
                parts.push({ edge: own, marks: [...around].sort().join() });
                node.childNodes.forEach((child) => visit(child, [], isPre || node.localName === "pre"));
                parts.push({ edge: "end" });
            }
        }
    };
    parseHTML(html).content.childNodes.forEach((node) => visit(node, [], false));
    return parts;
};

// Drops whitespace that browsers do not show: at the ends of lines, and repeated.
const dropWhitespace = (parts) => {
    const cut = (ordered, pattern, other) => {
        let isAtEdge = true;
        for (const part of ordered) {
            if (part.edge || part.isPre) {
                isAtEdge = Boolean(part.edge);
                continue;
            }
            if (isAtEdge) {
                part.text = part.text.replace(pattern, "");
            }
            if (part.text) {
                isAtEdge = other && part.text.endsWith(" ");
            }
        }
    };
    for (const part of parts) {
        part.text &&= part.isPre ? part.text : part.text.replace(BLANKS, " ");
    }
    cut(parts, /^ /, true);
    cut([...parts].reverse(), / $/, false);
    return parts.filter(({ edge, text }) => edge || text);
};

const canonical = (html) => {
    const tagged = addParagraphs(html);
    const counted = parseHTML(tagged).content.querySelectorAll(COUNTED).length;
    return JSON.stringify([dropWhitespace(partsOf(tagged)), counted]);
};

// Returns whether two pieces of HTML have the same elements, attributes and texts.
export const isSame = (one, other) => canonical(one) === canonical(other);

// --- Pasting

const UNWRAPPED = new Set(["article", "aside", "div", "font", "footer", "header", "nav", "section", "span"]);
const NEVER_PASTED = ["class", "id", "style", "lang", "dir", "title", "align"];

// Returns pasted HTML of word processors and web pages without its styling.
export const cleanPastedHTML = (html) => {
    const template = parseHTML(html);
    const root = template.content;
    if (root.querySelector("[data-pm-slice]")) {
        return html;
    }
    root.querySelectorAll("style, script, meta, link, title, xml, img:not([src^='http'])").forEach((node) => node.remove());
    for (const node of root.querySelectorAll("*")) {
        NEVER_PASTED.forEach((name) => node.removeAttribute(name));
        // Word's own tags have a colon in their names.
        if (UNWRAPPED.has(node.localName) || node.localName.includes(":")) {
            node.replaceWith(...node.childNodes);
        }
    }
    return template.innerHTML;
};
