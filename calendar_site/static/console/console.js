"use strict";

// Swagger UI has a dark look, but leaves it to the page when.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// The session of the admin does not come along: every call is made as any other program makes it.
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

async function start() {
  // This page is what the same address answers to who prefers HTML.
  const response = await fetch(window.location.pathname, { headers: { Accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) {
    // Too many requests, for instance: the message is in the reader's language.
    document.getElementById("console").textContent = answer.message;
    return;
  }
  window.SwaggerUIBundle({
    domNode: document.getElementById("console"),
    spec: withoutSession(answer),
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    // Whoever signs in here is signed in until the page is left.
    persistAuthorization: false,
    validatorUrl: null,
    requestInterceptor(request) {
      request.credentials = "omit";
      return request;
    },
  });
}

start();
