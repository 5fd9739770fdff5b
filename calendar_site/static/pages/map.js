// The map of the places in a list below it. It loads nothing from another site until the visitor asks for streets.

const box = document.querySelector(".event-map");
const places = JSON.parse(document.getElementById("places")?.textContent ?? "[]");

function showMap() {
  box.hidden = false;
  const canvas = box.appendChild(document.createElement("div"));
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", box.dataset.label);
  const map = L.map(canvas, { scrollWheelZoom: false, zoomControl: false, maxZoom: 18 });
  map.attributionControl.setPrefix(false);
  L.control.zoom({ zoomInTitle: box.dataset.zoomIn, zoomOutTitle: box.dataset.zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  // The wheel scrolls the page until the map has the focus.
  map.on("focus", () => map.scrollWheelZoom.enable()).on("blur", () => map.scrollWheelZoom.disable());
  for (const place of places) {
    addMarker(map, place);
  }
  map.fitBounds(L.latLngBounds(places.map(({ lat, lng }) => [lat, lng])), { padding: [40, 40], maxZoom: 14 });
  return map;
}

function addMarker(map, { id, name, lat, lng, count }) {
  const icon = L.divIcon({ className: "map-marker", html: String(count), iconSize: [32, 32] });
  const marker = L.marker([lat, lng], { icon, title: `${name} (${count})`, alt: `${name} (${count})` }).addTo(map);
  const goToList = () => {
    const section = document.getElementById(`place-${id}`);
    section.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    section.focus({ preventScroll: true });
  };
  marker.on("click", goToList);
  marker.on("keypress", ({ originalEvent }) => originalEvent.key === "Enter" && goToList());
}

function addStreets(map) {
  // Tile servers may require to know the site, but nothing more.
  const options = { attribution: box.dataset.attribution, maxZoom: 19, referrerPolicy: "strict-origin" };
  L.tileLayer(box.dataset.tiles, options).addTo(map);
}

// Tiles of the same site tell nobody else about the visitor.
function offerStreets(map) {
  const isOwn = new URL(box.dataset.tiles, location.href).origin === location.origin;
  if (isOwn) {
    addStreets(map);
    return;
  }
  const consent = document.querySelector(".event-map-consent");
  consent.hidden = false;
  consent.querySelector("button").addEventListener("click", () => {
    addStreets(map);
    consent.remove();
  });
}

if (box && places.length) {
  const map = showMap();
  if (box.dataset.tiles) {
    offerStreets(map);
  }
}
