// Tabs over examples in several languages, and a button that copies one. Without this all of them are shown.

const LABELS = { sh: "curl", python: "Python", javascript: "JavaScript" };
const REMEMBERED = "example-language";

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) || "sh";
  } catch {
    return "sh"; // no storage, as in a file that is opened from the disk of a strict browser
  }
}

function remember(language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // Then it is chosen again on the next page.
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
  // The page keeps its place below the pointer although boxes above it grow and shrink.
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

// What is typed: commands without their prompt and without what they print.
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

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".examples").forEach(addTabs);
  show(remembered());
  if (navigator.clipboard) {
    document.querySelectorAll("div:not(.answer) > div.highlight > pre").forEach(addCopyButton);
  }
});
