// What the public pages can do only with a script. Everything else works without one.

// Beside the time of an online event, its time on the visitor's own clock, if that is another one.
function showLocalTimes() {
  for (const note of document.querySelectorAll("[data-local-start]")) {
    const start = new Date(note.dataset.localStart);
    const sameClock = -start.getTimezoneOffset() === Number(note.dataset.offsetMinutes);
    if (sameClock || Number.isNaN(start.getTime())) {
      continue;
    }
    // The dates of the site are British in English, and its clock has 24 hours.
    const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
    const format = new Intl.DateTimeFormat(language, {
      hourCycle: "h23",
      weekday: "long",
      day: "numeric",
      month: "long",
      hour: "2-digit",
      minute: "2-digit",
    });
    note.textContent = note.dataset.text.replace("{time}", format.format(start));
    note.hidden = false;
  }
}

// The sheet of the system for sharing a page, where there is one; else the URL is copied.
function offerSharing() {
  for (const button of document.querySelectorAll("button[data-share]")) {
    if (!navigator.share && !navigator.clipboard) {
      continue;
    }
    button.hidden = false;
    button.addEventListener("click", async () => {
      const url = button.dataset.share;
      if (navigator.share) {
        // Visitors who close the sheet share nothing.
        await navigator.share({ title: document.querySelector("h1").textContent.trim(), url }).catch(() => {});
        return;
      }
      await navigator.clipboard.writeText(url);
      document.getElementById(button.getAttribute("aria-describedby")).textContent = button.dataset.copied;
    });
  }
}

function offerPrinting() {
  for (const button of document.querySelectorAll("button[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
}

function selectOnFocus() {
  for (const field of document.querySelectorAll("input[readonly]")) {
    field.addEventListener("focus", () => field.select());
  }
}

// Choose the visitor's own position, to about a kilometer, and show the events near it.
function offerPosition() {
  for (const button of document.querySelectorAll("button[data-position]")) {
    if (!navigator.geolocation) {
      continue;
    }
    const field = document.getElementById(button.dataset.position);
    const note = document.getElementById(button.getAttribute("aria-describedby"));
    const show = ({ coords }) => {
      const value = `${coords.latitude.toFixed(2)},${coords.longitude.toFixed(2)}`;
      field.add(new Option(button.dataset.label, value, true, true));
      field.form.requestSubmit();
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      note.textContent = "";
      navigator.geolocation.getCurrentPosition(show, () => {
        note.textContent = button.dataset.failed;
      });
    });
  }
}

offerPosition();
showLocalTimes();
offerSharing();
offerPrinting();
selectOnFocus();

// In a frame of another site: tell it how high the content is, and use the colors that it asks for.
function fitIntoFrame() {
  const report = () => {
    // To every site: the height is no secret, and the server has decided which of them may show the page.
    parent.postMessage({ calendarHeight: document.documentElement.getBoundingClientRect().height }, "*");
  };
  new ResizeObserver(report).observe(document.documentElement);
}

// The custom properties that an embedding site may set, such as ?colors=link:0b5cad,background:ffffff.
const COLORS = ["background", "surface", "text", "muted", "border", "link", "bar", "bar-text"];

function useColors() {
  const asked = new URLSearchParams(location.search).get("colors") ?? "";
  for (const [name, color] of asked.split(",").map((pair) => pair.split(":"))) {
    if (COLORS.includes(name) && /^[0-9a-f]{3}(?:[0-9a-f]{3})?$/i.test(color ?? "")) {
      document.documentElement.style.setProperty(`--${name}`, `#${color}`);
    }
  }
}

if (document.body.classList.contains("embedded")) {
  useColors();
  fitIntoFrame();
}
