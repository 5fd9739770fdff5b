// Shows the calendar inside the page of another site: <script src="…/embed.js" data-view="month"></script>.
// No cookie, no storage, no other host: a frame with the same page, as high as its content.
(() => {
  const script = document.currentScript;
  const root = new URL(".", script.src);
  const { view = "list", category, tag, venue, organizer, colors } = script.dataset;
  const scopes = [
    ["events/category", category],
    ["events/tag", tag],
    ["venue", venue],
    ["organizer", organizer],
  ];
  const [path, slug] = scopes.find((scope) => scope[1]) ?? ["events"];
  const folder = slug ? `${path}/${encodeURIComponent(slug)}` : path;
  const url = new URL(`${folder}/${view === "day" ? "today" : view}/`, root);
  url.searchParams.set("embed", "1");
  if (colors) {
    url.searchParams.set("colors", colors);
  }

  const frame = document.createElement("iframe");
  frame.src = url;
  frame.title = script.dataset.title ?? "Events";
  frame.loading = "lazy";
  frame.style.cssText = "width: 100%; min-height: 20rem; border: 0";
  script.after(frame);

  addEventListener("message", (event) => {
    const isOurs = event.source === frame.contentWindow && event.origin === root.origin;
    if (isOurs && Number.isFinite(event.data?.calendarHeight)) {
      frame.style.height = `${Math.ceil(event.data.calendarHeight)}px`;
    }
  });
})();
