// Tabs for examples in several languages, buttons that copy code, and tables on phones. Without JavaScript, all examples
// are shown, and wide tables scroll.

const LABELS = { sh: "curl", python: "Python", javascript: "JavaScript" };
const REMEMBERED = "example-language";

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) || "sh";
  } catch {
    return "sh"; // no storage, for example in a local file
  }
}

function remember(language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // Without storage, the choice is lost on the next page.
  }
}

function show(language) {
  for (const box of document.querySelectorAll(".examples.has-tabs")) {
    const tabs = [...box.querySelectorAll("[role=tab]")];
    const chosen = tabs.find((tab) => tab.dataset.language === language) || tabs[0];
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
  }
}

function choose(tab) {
  // Keep the scroll position, although the boxes above change their height.
  const before = tab.getBoundingClientRect().top;
  remember(tab.dataset.language);
  show(tab.dataset.language);
  window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: "instant" });
}

function onKey(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  choose(next);
}

function addTabs(box, number) {
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language of the example");
  list.addEventListener("keydown", onKey);
  for (const block of box.querySelectorAll(":scope > div[class*='example-']")) {
    const language = /example-(\w+)/.exec(block.className)[1];
    block.id = `example-${number}-${language}`;
    block.setAttribute("role", "tabpanel");
    block.setAttribute("aria-labelledby", `${block.id}-tab`);
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `${block.id}-tab`;
    tab.dataset.language = language;
    tab.textContent = LABELS[language];
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", block.id);
    tab.addEventListener("click", () => choose(tab));
    list.append(tab);
  }
  box.prepend(list);
  box.classList.add("has-tabs");
}

// Return the commands of a code block, without prompts and output.
function typed(code) {
  const lines = code.textContent.trimEnd().split("\n");
  if (!lines.some((line) => line.startsWith("$ "))) return lines.join("\n");
  const kept = [];
  let isCommand = false;
  for (const line of lines) {
    const goesOn = isCommand && (/^\s/.test(line) || kept.at(-1).endsWith("\\"));
    isCommand = goesOn || line.startsWith("$ ");
    if (isCommand) kept.push(goesOn ? line : line.slice(2));
  }
  return kept.join("\n");
}

function addCopyButton(code) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(typed(code));
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  code.parentElement.append(button);
}

// Cells with more text than this make a table too wide for a phone.
const LONG_TEXT = 60;

// Prepare tables with long texts for the styles that show each row as a block. Roles keep them tables for screen readers.
function stack(table) {
  const headings = [...table.querySelectorAll("thead th")].map((heading) => heading.textContent.trim());
  const cells = [...table.querySelectorAll("tbody td")];
  if (headings.length < 3 || !cells.some((cell) => cell.textContent.length > LONG_TEXT)) return;
  table.classList.add("stacked");
  table.setAttribute("role", "table");
  for (const row of table.rows) {
    row.setAttribute("role", "row");
    [...row.cells].forEach((cell, position) => {
      cell.setAttribute("role", cell.tagName === "TH" ? "columnheader" : "cell");
      cell.dataset.heading = headings[position];
    });
  }
}

// Furo's two sidebars get names, and what scrolls sideways can be reached with the keyboard.
function nameLandmarks() {
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "Pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
}

function makeScrollable() {
  for (const box of document.querySelectorAll("pre, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
}

document.addEventListener("DOMContentLoaded", () => {
  nameLandmarks();
  document.querySelectorAll("table.docutils").forEach(stack);
  document.querySelectorAll(".examples").forEach(addTabs);
  show(remembered());
  if (navigator.clipboard) {
    document.querySelectorAll("div:not(.answer) > div.highlight > pre").forEach(addCopyButton);
  }
  makeScrollable();
  window.addEventListener("resize", makeScrollable);
});
