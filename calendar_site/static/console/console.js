"use strict";

// Swagger UI has a dark mode, which the page must switch on.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const updateMode = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", updateMode);
updateMode();

// Calls are made without the session of the admin, as other clients make them.
function withoutSession(spec) {
  const schemes = spec.components.securitySchemes;
  for (const [name, scheme] of Object.entries(schemes)) {
    if (scheme.type === "apiKey") {
      delete schemes[name];
    }
  }
  for (const operation of Object.values(spec.paths).flatMap(Object.values)) {
    operation.security = operation.security.filter((names) => Object.keys(names).every((name) => name in schemes));
  }
  return spec;
}

// Fill in the id and slug of an existing record, so that every operation that reads can be tried at once.
async function withExamples(spec) {
  const items = Object.entries(spec.paths).filter(([path]) => path.includes("{"));
  const collections = new Set(items.map(([path]) => path.split("/")[1]));
  const records = {};
  await Promise.all(
    [...collections].map(async (name) => {
      const url = `${spec.servers[0].url}/${name}?per_page=1&_fields=${name}.id,${name}.slug`;
      const response = await fetch(url, { credentials: "omit" }).catch(() => null);
      // Without a record, or if there were too many requests, users enter their own values.
      records[name] = response?.ok ? (await response.json())[name][0] : undefined;
    }),
  );
  for (const [path, operations] of items) {
    const record = records[path.split("/")[1]] ?? {};
    for (const parameter of Object.values(operations).flatMap((operation) => operation.parameters)) {
      if (parameter.in === "path") {
        parameter.example = record[parameter.name];
      }
    }
  }
  return spec;
}

// Swagger UI's own layout has a second `main`, and a choice without a label among the one server that there is.
function consoleLayout({ React: { createElement: create } }) {
  const heading = document.getElementById("console").dataset.heading;
  const Layout = ({ getComponent }) => {
    const show = (name) => create(getComponent(name, true));
    return create(
      "div",
      { className: "swagger-ui" },
      show("SvgAssets"),
      create("div", { className: "information-container wrapper" }, show("InfoContainer")),
      create("div", { className: "scheme-container" }, create("div", { className: "schemes wrapper" }, show("AuthorizeBtnContainer"))),
      show("FilterContainer"),
      show("errors"),
      create("h2", { className: "visually-hidden" }, heading),
      create("div", { className: "wrapper" }, show("operations")),
      create("div", { className: "wrapper" }, show("Models")),
    );
  };
  // Not a link: it is inside the button that opens an operation.
  const DeepLink = ({ text }) => create("span", null, text);
  return { components: { Layout, DeepLink } };
}

async function start() {
  // The URL of this page returns the document to clients that prefer JSON.
  const response = await fetch(window.location.pathname, { headers: { Accept: "application/json" } });
  const data = await response.json();
  if (!response.ok) {
    // For example too many requests. The message is translated.
    document.getElementById("console").textContent = data.message;
    return;
  }
  window.SwaggerUIBundle({
    domNode: document.getElementById("console"),
    spec: await withExamples(withoutSession(data)),
    deepLinking: true,
    plugins: [consoleLayout],
    layout: "Layout",
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    // Credentials are kept only until the user leaves the page.
    persistAuthorization: false,
    validatorUrl: null,
    requestInterceptor(request) {
      request.credentials = "omit";
      return request;
    },
  });
}

start();
