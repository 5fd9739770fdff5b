"use strict";

{
    const DECIMALS = 6;
    const PAUSE = 300;
    const CLOSE_UP = 16;
    // The size of a label in pixels: its height, the width of dot and padding, and about that of a letter.
    const LABEL = { height: 20, edges: 26, letter: 6 };
    const MAX_DEGREES = { lat: 90, lng: 180 };
    const STEPS = [
        0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45,
    ];
    const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

    // --- Degrees -------------------------------------------------------------------------------------

    // Lines of latitude and longitude at round degrees, with their numbers at the edges.
    const DegreeLines = L.LayerGroup.extend({
        onAdd(map) {
            L.LayerGroup.prototype.onAdd.call(this, map);
            map.on("moveend", this.draw, this);
            this.draw();
        },
        draw() {
            const map = this._map;
            const seen = map.getBounds();
            const drawn = seen.pad(0.5);
            const step = STEPS.find((degrees) => pixelsOf(map, degrees) >= 90) ?? 90;
            const digits = Math.max(0, Math.ceil(-Math.log10(step)));
            this.clearLayers();
            for (const lng of round(drawn.getWest(), drawn.getEast(), step)) {
                const east = ((((lng + 180) % 360) + 360) % 360) - 180;
                this.line([[drawn.getSouth(), lng], [drawn.getNorth(), lng]]);
                this.number([seen.getNorth(), lng], east < 0 ? "%s° W" : "%s° E", Math.abs(east).toFixed(digits), [-3, 0]);
            }
            for (const lat of round(Math.max(drawn.getSouth(), -85), Math.min(drawn.getNorth(), 85), step)) {
                this.line([[lat, drawn.getWest()], [lat, drawn.getEast()]]);
                this.number([lat, seen.getWest()], lat < 0 ? "%s° S" : "%s° N", Math.abs(lat).toFixed(digits), [-3, 15]);
            }
        },
        line(ends) {
            this.addLayer(L.polyline(ends, { className: "map-line", weight: 1, interactive: false, color: null }));
        },
        number(place, text, degrees, iconAnchor) {
            const html = interpolate(gettext(text), [degrees]);
            const icon = L.divIcon({ className: "map-degrees", html, iconAnchor, iconSize: null });
            this.addLayer(L.marker(place, { icon, interactive: false, keyboard: false }));
        },
    });

    const pixelsOf = (map, degrees) => {
        const { lat, lng } = map.getCenter();
        return map.project([lat, lng + degrees]).x - map.project([lat, lng]).x;
    };

    const round = (from, to, step) => {
        const first = Math.ceil(from / step);
        return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
    };

    // --- Other venues --------------------------------------------------------------------------------

    // Returns whether a label covers none of those in `taken`, and then adds it to them.
    const hasRoom = (map, taken, dot, name) => {
        const corner = map.latLngToContainerPoint(dot.getLatLng()).subtract([0, LABEL.height / 2]);
        const room = L.bounds(corner, corner.add([LABEL.edges + LABEL.letter * name.length, LABEL.height]));
        const isFree = !taken.some((other) => other.intersects(room));
        if (isFree) {
            taken.push(room);
        }
        return isFree;
    };

    // Shows dots for the venues in the visible section, which help to find a place on a map without streets.
    const showOthers = (map, url, note) => {
        const own = /\/(\d+)\/change\/$/.exec(location.pathname)?.[1];
        const dots = L.layerGroup().addTo(map);
        let pause;
        let pending;
        const fetchVenues = async (section) => {
            pending?.abort();
            pending = new AbortController();
            try {
                const response = await fetch(`${url}?${new URLSearchParams(section)}`, { signal: pending.signal });
                return response.ok ? await response.json() : null;
            } catch {
                // The map works without them.
                return null;
            }
        };
        const draw = ({ venues, is_cut: isCut }) => {
            const others = venues.filter(({ id }) => String(id) !== own);
            const taken = [];
            dots.clearLayers();
            for (const { title, geo_lat: lat, geo_lng: lng } of others) {
                const dot = L.circleMarker([lat, lng], { className: "map-dot", radius: 5, weight: 1, color: null });
                const name = document.createElement("span");
                name.textContent = title;
                // The other labels show when the pointer is over their dots.
                dot.bindTooltip(name, { permanent: hasRoom(map, taken, dot, title), direction: "right", offset: [6, 0] });
                dot.addTo(dots);
            }
            note.textContent = isCut
                ? gettext("Dots show other venues. Zoom in to see all of them.")
                : others.length
                  ? gettext("Dots show other venues.")
                  : "";
            return others;
        };
        const update = async () => {
            const seen = map.getBounds();
            const data = await fetchVenues({
                south: seen.getSouth(), west: seen.getWest(), north: seen.getNorth(), east: seen.getEast(),
            });
            if (data) {
                draw(data);
            }
        };
        const watch = () =>
            map.on("moveend", () => {
                clearTimeout(pause);
                pause = setTimeout(update, PAUSE);
            });
        return {
            watch,
            update,
            // All venues, to start where they are.
            fetchAll: async () => {
                const data = await fetchVenues({ south: -90, west: -180, north: 90, east: 180 });
                return data ? draw(data) : [];
            },
        };
    };

    // --- The mark ------------------------------------------------------------------------------------

    const readPosition = (lat, lng) => {
        if (!lat.value.trim() || !lng.value.trim()) {
            return null;
        }
        const place = { lat: Number(lat.value), lng: Number(lng.value) };
        return Object.keys(place).every((name) => Math.abs(place[name]) <= MAX_DEGREES[name]) ? place : null;
    };

    const button = (text, action) => {
        const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
        made.addEventListener("click", action);
        return made;
    };

    const showMap = (box, lat, lng) => {
        const canvas = box.appendChild(document.createElement("div"));
        canvas.setAttribute("role", "application");
        canvas.setAttribute("aria-label", gettext("Map"));
        box.hidden = false;
        const map = L.map(canvas, { scrollWheelZoom: false, zoomControl: false, maxZoom: 19, minZoom: 1 });
        map.attributionControl.setPrefix(false);
        const zoomTitles = { zoomInTitle: gettext("Zoom in"), zoomOutTitle: gettext("Zoom out") };
        L.control.zoom({ position: "bottomright", ...zoomTitles }).addTo(map);
        L.control.scale({ imperial: false }).addTo(map);
        // The wheel scrolls the page until the map has the focus.
        map.on("focus", () => map.scrollWheelZoom.enable()).on("blur", () => map.scrollWheelZoom.disable());
        canvas.appendChild(Object.assign(document.createElement("div"), { className: "map-center" }));

        const icon = L.divIcon({
            className: "map-pin",
            html: '<span class="material-symbols-outlined" aria-hidden="true">location_on</span>',
            iconSize: [40, 40],
            iconAnchor: [20, 37],
        });
        const mark = L.marker([0, 0], { icon, draggable: true, title: gettext("Venue location") });

        const write = ({ lat: north, lng: east }) => {
            lat.value = north.toFixed(DECIMALS);
            lng.value = east.toFixed(DECIMALS);
            for (const input of [lat, lng]) {
                input.dispatchEvent(new Event("change", { bubbles: true }));
            }
        };
        const put = (place) => {
            write(L.latLng(place).wrap());
            show(place);
        };
        const show = (place) => {
            if (place) {
                mark.setLatLng(place).addTo(map);
            } else {
                mark.remove();
            }
            showMark.disabled = takeAway.disabled = !place;
        };
        const follow = () => {
            const place = readPosition(lat, lng);
            show(place);
            if (place && !map.getBounds().contains(place)) {
                map.setView(place, Math.max(map.getZoom(), 10));
            }
        };
        const showMark = button(gettext("Show marker"), () => map.setView(mark.getLatLng(), CLOSE_UP));
        const takeAway = button(gettext("Remove marker"), () => {
            lat.value = lng.value = "";
            lat.dispatchEvent(new Event("change", { bubbles: true }));
            show(null);
            canvas.focus();
        });
        const toMiddle = button(gettext("Place marker at center"), () => {
            put(map.getCenter());
            mark.getElement().focus();
        });

        const buttons = box.appendChild(Object.assign(document.createElement("div"), { className: "map-buttons" }));
        buttons.append(toMiddle, showMark, takeAway);
        const help = box.appendChild(document.createElement("p"));
        help.textContent = gettext(
            "Click the map or drag the marker. With the keyboard: move the map with the arrow keys, select “Place marker at center”, then adjust the marker with the arrow keys (hold Shift for larger steps).",
        );
        const note = box.appendChild(document.createElement("p"));

        const move = (event) => {
            const arrow = ARROWS[event.key];
            if (!arrow || event.ctrlKey || event.altKey || event.metaKey) {
                return;
            }
            // Not the map as well.
            event.preventDefault();
            event.stopPropagation();
            const pixels = L.point(arrow).multiplyBy(event.shiftKey ? 10 : 1);
            put(map.unproject(map.project(mark.getLatLng()).add(pixels)));
            map.panInside(mark.getLatLng(), { padding: [40, 40] });
        };
        mark.on("add", () => mark.getElement().addEventListener("keydown", move));
        mark.on("dragend", () => put(mark.getLatLng()));
        map.on("click", (event) => put(event.latlng));
        for (const input of [lat, lng]) {
            input.addEventListener("input", follow);
        }

        if (box.dataset.tiles) {
            // Tile servers may require to know the site, but nothing more.
            const options = { attribution: box.dataset.attribution, maxZoom: 19, referrerPolicy: "strict-origin" };
            L.tileLayer(box.dataset.tiles, options).addTo(map);
        }
        setInitialView(map, readPosition(lat, lng), showOthers(map, box.dataset.url, note), show);
        new DegreeLines().addTo(map);
    };

    // Starts at the venue, else where other venues are, else with the whole earth.
    const setInitialView = (map, place, others, show) => {
        show(place);
        if (place) {
            map.setView(place, CLOSE_UP - 3);
            others.watch();
            others.update();
            return;
        }
        map.setView([20, 0], 1);
        others.fetchAll().then((found) => {
            others.watch();
            if (found.length) {
                const around = L.latLngBounds(found.map(({ geo_lat: lat, geo_lng: lng }) => [lat, lng]));
                map.fitBounds(around, { padding: [20, 20], maxZoom: 14, animate: false });
            }
        });
    };

    document.addEventListener("DOMContentLoaded", () => {
        for (const box of document.querySelectorAll(".venue-map")) {
            const [lat, lng] = [box.dataset.lat, box.dataset.lng].map((id) => document.getElementById(id));
            // Users who may not change the venue have no inputs.
            if (lat && lng) {
                showMap(box, lat, lng);
            }
        }
    });
}
