// HTML before the editor reads it and after it has written it, and whether both say the same.

const INLINE = new Set(
    ("a abbr acronym b bdi br cite code data del dfn em i img ins kbd mark q s samp small span strike strong sub sup " +
        "time tt u var wbr").split(" "),
);
// What holds paragraphs in the editor, and in HTML bare words as well.
const HOLDERS = "article, aside, blockquote, dd, details, div, figure, footer, header, hgroup, li, nav, td, th";
// Those in which a single paragraph is written without its tag.
const TIGHT = new Set(["dd", "li", "td", "th"]);
const BLANKS = /[ \t\r\n\f]+/g;
const ANY_TAG = /<[a-zA-Z/!]/;
// Tags in a line of which two are not the same as one.
const COUNTED = "a, abbr, acronym, bdi, cite, data, dfn, ins, q, time";
// What means the same as no attribute.
const NEEDLESS = { colspan: "1", rowspan: "1", start: "1" };

const parsed = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template;
};

const isText = (node) => node.nodeType === Node.TEXT_NODE;
const isInline = (node) => isText(node) || INLINE.has(node.localName);
const isBlank = (node) => isText(node) && !node.data.replace(BLANKS, "");

// What the service makes of text without tags: paragraphs and line breaks.
const withTags = (text) => {
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

const wrapWords = (holder) => {
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

// HTML as the editor reads it: all words stand in paragraphs, which know how they were written.
export const prepared = (html) => {
    const template = parsed(withTags(html));
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
    [root, ...root.querySelectorAll(HOLDERS)].forEach(wrapWords);
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

// What the editor has written, as HTML to be kept.
export const finished = (html) => {
    const template = parsed(html);
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
        // The service writes rel by itself.
        .filter(({ name, value }) => name !== "rel" && NEEDLESS[name] !== value)
        .map(({ name, value }) => [name, value])
        .sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify([element.localName, attributes]);
};

// Texts with the tags that stand around them in a line, in whatever order, and the edges of everything else.
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
    parsed(html).content.childNodes.forEach((node) => visit(node, [], false));
    return parts;
};

// Drops the blanks that no browser shows: at the ends of lines, and the second of two.
const withoutBlanks = (parts) => {
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

const meaning = (html) => {
    const tagged = withTags(html);
    const counted = parsed(tagged).content.querySelectorAll(COUNTED).length;
    return JSON.stringify([withoutBlanks(partsOf(tagged)), counted]);
};

// Whether two pieces of HTML hold the same: tags, attributes and words.
export const isSame = (one, other) => meaning(one) === meaning(other);

// --- Pasting

const UNWRAPPED = new Set(["article", "aside", "div", "font", "footer", "header", "nav", "section", "span"]);
const NEVER_PASTED = ["class", "id", "style", "lang", "dir", "title", "align"];

// What comes from a word processor or a page of the web, without its looks.
export const cleaned = (html) => {
    const template = parsed(html);
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
