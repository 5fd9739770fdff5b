// Use the generated TypeScript client with openapi-fetch: list, read, create, update and delete records of each
// resource. Compiled in strict mode, so the types of the document must admit all of this.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Venue = components["schemas"]["Venue"];

const [baseUrl, user, password] = process.argv.slice(2);
assert(baseUrl && user && password);
const headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
const client = createClient<paths>({ baseUrl, headers });
const visitor = createClient<paths>({ baseUrl });

// Return the data of a successful response.
function data<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  assert(answer.data, `${answer.response.url}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

// Return the code of an error.
function code(answer: { error?: components["schemas"]["Error"] }): string {
  assert(answer.error);
  return answer.error.code;
}

async function useCategories() {
  const created = data(await client.POST("/categories", { body: { name: "Script music" } }));
  const below = data(await client.POST("/categories", { body: { name: "Script jazz", parent: created.id } }));
  assert.deepEqual([created.slug, below.parent], ["script-music", created.id]);

  const path = { params: { path: { id: below.id } } };
  assert.deepEqual(data(await visitor.GET("/categories/{id}", path)), below);
  const query = { hide_empty: false, include: [below.id, created.id] };
  const found = data(await visitor.GET("/categories", { params: { query } }));
  assert.deepEqual(found.categories.map((term) => [term.name, term.count]), [["Script jazz", 0], ["Script music", 0]]);

  const body = { description: "Fast", parent: null };
  const changed = data(await client.PATCH("/categories/{id}", { ...path, body }));
  assert.deepEqual([changed.name, changed.description, changed.parent], ["Script jazz", "Fast", 0]);
  data(await client.DELETE("/categories/{id}", path));
  data(await client.DELETE("/categories/{id}", { params: { path: { id: created.id } } }));
  assert.equal(code(await visitor.GET("/categories/{id}", path)), "category-not-found");
}

async function useTags() {
  const created = data(await client.POST("/tags", { body: { name: "Script families", slug: "script-kids" } }));
  const path = { params: { path: { id: created.id } } };
  assert.deepEqual(data(await visitor.GET("/tags/{id}", path)), created);

  const found = data(await visitor.GET("/tags", { params: { query: { hide_empty: false, slug: "script-kids" } } }));
  assert.deepEqual(found.tags, [created]);

  const changed = data(await client.PATCH("/tags/{id}", { ...path, body: { name: "Script family" } }));
  assert.deepEqual([changed.name, changed.slug], ["Script family", "script-kids"]);
  assert.deepEqual(data(await client.DELETE("/tags/{id}", path)), changed);
  assert.equal(code(await visitor.GET("/tags/{id}", path)), "tag-not-found");
}

async function useVenues() {
  const body = { venue: "Script hall", city: "Bolzano", show_map: true, show_map_link: "false", geo_lat: 46.5, geo_lng: 11 };
  const created = data(await client.POST("/venues", { body }));
  assert.deepEqual([created.city, created.show_map, created.show_map_link], ["Bolzano", true, false]);
  assert.deepEqual([created.image, created.custom_fields], [false, []]);

  const path = { params: { path: { id: created.id } } };
  const { json_ld, ...read } = data(await visitor.GET("/venues/{id}", path));
  assert(json_ld);
  assert.deepEqual(read, created);
  const found = data(await client.GET("/venues", { params: { query: { search: "script", status: ["publish", "draft"] } } }));
  assert.deepEqual(found.venues.map((venue) => venue.id), [created.id]);

  // Sending back a record as it was read changes only what differs.
  const changed = data(await client.PATCH("/venues/{id}", { ...path, body: { ...read, city: null } }));
  assert.deepEqual({ ...changed, modified: "", modified_utc: "" }, { ...read, city: "", modified: "", modified_utc: "" });
  assert.equal(data(await client.DELETE("/venues/{id}", path)).status, "trash");
}

async function useOrganizers() {
  const body = { organizer: "Script choir", email: "choir@example.org" };
  const created = data(await client.POST("/organizers", { body }));
  const path = { params: { path: { id: created.id } } };
  assert.equal(data(await visitor.GET("/organizers/{id}", path)).email, "choir@example.org");

  const found = data(await visitor.GET("/organizers", { params: { query: { search: "script choir", has_events: false } } }));
  assert.deepEqual(found.organizers, [created]);

  const changed = data(await client.PATCH("/organizers/{id}", { ...path, body: { status: "draft" } }));
  assert.deepEqual([changed.organizer, changed.status], ["Script choir", "draft"]);
  assert.equal(data(await client.DELETE("/organizers/{id}", path)).status, "trash");
}

async function useEvents() {
  const category = data(await client.POST("/categories", { body: { name: "Script concerts" } }));
  const park = data(await client.POST("/venues", { body: { venue: "Script park" } }));

  // Names, and the data of new records.
  const first = data(
    await client.POST("/events", {
      body: {
        title: "Script night",
        start_date: "2027-05-20 18:00:00",
        end_date: "2027-05-20T20:00:00",
        timezone: "Europe/Rome",
        cost: [10, "30"],
        venue: { venue: "Script cellar", city: "Trento" },
        organizer: [{ organizer: "Script band" }],
        categories: ["Script concerts", "Script, late"],
        tags: "Script wine",
        tickets: [{ name: "Seat", price: 10.5, currency: "EUR" }],
      },
    }),
  );
  assert.equal(first.start, "2027-05-20T18:00:00+02:00");
  assert.deepEqual(first.categories.map((term) => term.name), ["Script concerts", "Script, late"]);
  assert.deepEqual(first.tickets.map((ticket) => [ticket.name, ticket.price]), [["Seat", "10.50"]]);
  assert.equal(first.organizer[0]?.organizer, "Script band");
  const cellar = first.venue as Venue;
  assert.deepEqual([cellar.venue, cellar.city], ["Script cellar", "Trento"]);

  // IDs, and the records of a response.
  const second = data(
    await client.POST("/events", {
      body: {
        title: "Script morning",
        start_date: "2027-05-21 08:00:00",
        end_date: "2027-05-21 09:00:00",
        cost: 5,
        status: "draft",
        image: false,
        venue: [park.id, cellar, String(park.id), { venue: "Script cellar" }],
        organizer: first.organizer,
        categories: [category.id],
        tags: first.tags,
        post_parent: first.id,
        custom_fields: [],
      },
    }),
  );
  assert.deepEqual((second.venue as Venue[]).map((venue) => venue.venue), ["Script park", "Script cellar"]);
  assert.deepEqual(second.categories.map((term) => term.id), [category.id]);
  assert.deepEqual(second.tags.map((term) => term.name), ["Script wine"]);
  assert.deepEqual([second.cost_details.values, second.post_parent, second.status], [["5"], first.id, "draft"]);

  const window = { start_date: "2027-05-01", end_date: "2027-06-01" };
  type Query = NonNullable<paths["/events"]["get"]["parameters"]["query"]>;
  const listed = async (reader: typeof client, query: Query = {}) =>
    data(await reader.GET("/events", { params: { query: { ...window, ...query } } })).events.map((event) => event.title);
  const both = ["Script night", "Script morning"];
  assert.deepEqual(await listed(client), both);
  // Without authentication, drafts are not listed.
  assert.deepEqual(await listed(visitor), both.slice(0, 1));
  assert.deepEqual(await listed(client, { categories: ["script-concerts"] }), both);
  assert.deepEqual(await listed(client, { categories: [category.id] }), both);
  assert.deepEqual(await listed(client, { tags: ["script-wine"], venue: [park.id] }), both.slice(1));
  assert.deepEqual(await listed(client, { status: ["draft"] }), both.slice(1));
  assert.deepEqual(await listed(client, { starts_after: "2027-05-20 20:00:00", strict_dates: true }), both.slice(1));
  assert.equal(code(await client.GET("/events", { params: { query: { start_date: "nonsense" } } })), "rest_invalid_param");

  const path = { params: { path: { id: second.id } } };
  const slug = { params: { path: { slug: first.slug } } };
  assert.equal(data(await client.GET("/events/{id}", path)).title, "Script morning");
  assert.equal(code(await visitor.GET("/events/{id}", path)), "event-not-accessible");
  assert.equal(data(await visitor.GET("/events/by-slug/{slug}", slug)).id, first.id);

  const body: components["schemas"]["EventChanges"] = {
    title: "Script evening",
    categories: [],
    venue: [],
    cost: null,
    status: "publish",
  };
  const changed = data(await client.PATCH("/events/{id}", { ...path, body }));
  assert.deepEqual([changed.title, changed.categories, changed.venue, changed.cost], ["Script evening", [], [], ""]);
  assert.deepEqual(changed.organizer.map((organizer) => organizer.organizer), ["Script band"]);
  const later = { ...slug, body: { end_date: "2027-05-20 21:00:00" } };
  const bySlug = data(await client.PATCH("/events/by-slug/{slug}", later));
  assert.deepEqual([bySlug.end_date, bySlug.start_date], ["2027-05-20 21:00:00", first.start_date]);

  assert.equal(data(await client.DELETE("/events/by-slug/{slug}", slug)).status, "trash");
  assert.equal(data(await client.DELETE("/events/{id}", path)).status, "trash");
  assert.equal(code(await client.DELETE("/events/{id}", path)), "event-is-in-trash");
  assert.deepEqual(await listed(client), []);
}

await useCategories();
await useTags();
await useVenues();
await useOrganizers();
await useEvents();
assert.equal(code(await visitor.POST("/tags", { body: { name: "Stranger" } })), "rest_forbidden");
