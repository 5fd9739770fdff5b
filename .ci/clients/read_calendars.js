// Reads the calendars of a service with ical.js, the parser of Thunderbird and Nextcloud, and compares the times that it
// computes from the definitions of time zones with those of the API.

import assert from "node:assert/strict";
import ICAL from "ical.js";

const [base, user, password] = process.argv.slice(2);
const site = new URL(base).origin;
const headers = {
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  "Content-Type": "application/json",
};

async function create(path, fields) {
  const response = await fetch(`${base}/${path}`, { method: "POST", headers, body: JSON.stringify(fields) });
  assert.equal(response.status, 201, await response.clone().text());
  return response.json();
}

async function readCalendar(path) {
  const response = await fetch(`${site}${path}`);
  assert.equal(response.status, 200);
  const calendar = ICAL.Component.fromString(await response.text());
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
}

// The times of the API have the form 2030-07-01 18:00:00.
const toSeconds = (utc) => Date.parse(`${utc.replace(" ", "T")}Z`) / 1000;

const year = new Date().getUTCFullYear() + 1;
const title = "Réunion; avec, des \\signes\n";
const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata"];
const events = [];
for (const timezone of zones) {
  for (const month of ["01", "07"]) {
    const times = { start_date: `${year}-${month}-15 18:00`, end_date: `${year}-${month}-15 20:30`, timezone };
    events.push(await create("events", { title: `${title}${timezone} ${month}`, description: "<p>Büro</p>", ...times }));
  }
}
const fullDay = await create("events", {
  title: "Day",
  all_day: true,
  start_date: `${year}-03-01`,
  end_date: `${year}-03-02`,
});
const { id: series } = await create("series", {
  title: "Every week",
  start_date: `${year}-03-01 18:00`,
  end_date: `${year}-03-01 19:00`,
  timezone: "Europe/Berlin",
  rrule: "FREQ=WEEKLY;COUNT=10",
});
const { events: parts } = await (await fetch(`${base}/events?series=${series}&per_page=50&start_date=${year}-01-01`)).json();
assert.equal(parts.length, 10);

const found = new Map((await readCalendar("/events.ics")).map((event) => [event.component.getFirstPropertyValue("url"), event]));
for (const event of [...events, ...parts]) {
  const read = found.get(event.url);
  assert.equal(read.startDate.toUnixTime(), toSeconds(event.utc_start_date), event.title);
  assert.equal(read.endDate.toUnixTime(), toSeconds(event.utc_end_date), event.title);
  assert.equal(read.startDate.zone.tzid, event.timezone);
}
assert.equal(found.get(events[0].url).summary, `Réunion; avec, des \\signes ${zones[0]} 01`);
assert.equal(found.get(events[0].url).description, "Büro");
const day = found.get(fullDay.url);
assert.deepEqual([day.startDate.toString(), day.endDate.toString()], [`${year}-03-01`, `${year}-03-03`]);
assert.equal(day.startDate.isDate, true);

// As a rule, the series is one event, whose dates ical.js computes.
const rules = (await readCalendar("/events.ics?series=rule")).filter((event) => event.isRecurring());
const rule = rules.find((event) => event.summary === "Every week");
const dates = [];
for (let iterator = rule.iterator(), next; (next = iterator.next()); ) dates.push(next.toUnixTime());
assert.deepEqual(dates, parts.map((event) => toSeconds(event.utc_start_date)));
