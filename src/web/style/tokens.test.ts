import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The app is an example that is copied, so it imports nothing of the pages. */
test("the colours of the habits app are those of the pages", () => {
  const [light = "", dark = ""] = read("tokens.css").split("prefers-color-scheme: dark");
  const app = read("../../../examples/habits/src/style.css");
  const names = [...app.matchAll(/^ {2}--([a-z-]+): light-dark/gm)].map(([, name = ""]) => name);
  const ofPage = (css: string, name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)?.[1];
  const shared = names.filter((name) => ofPage(light, name) !== undefined);
  for (const name of shared) {
    const [, ...own] = new RegExp(`--${name}: light-dark\\((.*), (.*)\\);`).exec(app) ?? [];
    assert.deepEqual(own, [ofPage(light, name), ofPage(dark, name)], name);
  }
  assert.ok(shared.length >= 10);
});
