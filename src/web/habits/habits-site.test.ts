import assert from "node:assert/strict";
import { test } from "node:test";
import { buildHabitsSite, type HabitsSiteConfig } from "./habits-site.ts";

const CONFIG: HabitsSiteConfig = {
  sync: { baseUrl: "https://sync.example.com/base" },
  events: { service: { origin: "https://planner.example.org" } },
  release: { baseUrl: "https://releases.example.com" },
};

const policyOf = (changes: Partial<HabitsSiteConfig> = {}) => {
  const { headers } = buildHabitsSite({ ...CONFIG, ...changes });
  const entries = (headers["Content-Security-Policy"] ?? "").split("; ").map((directive) => {
    const [name = "", ...sources] = directive.split(" ");
    return [name, sources.join(" ")] as const;
  });
  return new Map(entries);
};

test("the pages may talk to the configured services alone, and no page may frame them", () => {
  const policy = policyOf();
  assert.equal(policy.get("default-src"), "'none'");
  assert.equal(
    policy.get("connect-src"),
    "'self' https://sync.example.com https://releases.example.com https://planner.example.org",
  );
  assert.equal(policy.get("frame-ancestors"), "'none'");
});

test("a planner on this machine, and one that a person types, are allowed for", () => {
  const service = {
    origin: "https://planner.example.org",
    developmentAddress: "http://localhost:4821",
  };
  const local = policyOf({ events: { service }, release: null });
  assert.equal(local.get("connect-src"), "'self' https://sync.example.com http://localhost:4821");
  const typed = policyOf({ events: { service: null }, release: null });
  assert.equal(typed.get("connect-src"), "'self' https://sync.example.com https:");
  const none = policyOf({ events: null, release: null });
  assert.equal(none.get("connect-src"), "'self' https://sync.example.com");
});

test("only the configured page may frame the app", () => {
  const policy = policyOf({ parentOrigin: "http://localhost:4800" });
  assert.equal(policy.get("frame-ancestors"), "http://localhost:4800");
});

test("the site has every file that the page, the manifest and the service worker name", () => {
  const { files } = buildHabitsSite(CONFIG);
  const bodyOf = (path: string) => String(files.get(path)?.body);
  const named = ["/", "/manifest.webmanifest", "/service-worker.js"].flatMap((path) =>
    [...bodyOf(path).matchAll(/"(\/[a-z0-9.-]+\.[a-z]+)"/g)].map(([, file = ""]) => file),
  );
  assert.ok(named.length > 8);
  for (const file of named) assert.ok(files.has(file), file);
  assert.deepEqual(JSON.parse(bodyOf("/config.json")), CONFIG);
  const png = files.get("/icon-192.png")?.body;
  assert.ok(png instanceof Uint8Array);
  assert.deepEqual(
    [...png.subarray(1, 4)],
    [..."PNG"].map((letter) => letter.charCodeAt(0)),
  );
});
