// Lets console.log print objects as JSON, so that a test can read what an example prints.
const log = console.log;

console.log = (...things) => log(...things.map((thing) => (typeof thing === "object" ? JSON.stringify(thing) : thing)));
