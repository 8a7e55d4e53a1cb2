import assert from "node:assert/strict";
import { hash } from "node:crypto";
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

const files = new Map(buildHabitsSite(CONFIG).files.map((file) => [`/${file.path}`, file]));
const bodyOf = (path: string) => String(files.get(path)?.body);
const scripts = [...files.keys()].filter((path) => path.startsWith("/assets/"));

test("the site has every file that the page, the manifest, the service worker and the scripts name", () => {
  const sources = ["/index.html", "/manifest.webmanifest", "/service-worker.js", ...scripts];
  const named = sources.flatMap((path) =>
    [
      ...bodyOf(path).matchAll(/"((?:\/assets|\.)?\/[\w.-]+\.(?:js|json|png|svg|webmanifest))"/g),
    ].map(([, file = ""]) => file.replace(/^\.\//, "/assets/")),
  );
  assert.ok(named.length > 12);
  for (const file of named) assert.ok(files.has(file), file);
  for (const file of scripts) assert.ok(named.includes(file), `nothing loads ${file}`);
  assert.deepEqual(JSON.parse(bodyOf("/config.json")), CONFIG);
  const png = files.get("/icon-192.png")?.body;
  assert.ok(png instanceof Uint8Array);
  assert.deepEqual(
    [...png.subarray(1, 4)],
    [..."PNG"].map((letter) => letter.charCodeAt(0)),
  );
});

test("a browser keeps the files with a hash in their names, and asks for the others", () => {
  for (const [path, { cacheControl }] of files) {
    const isNamedByHash = /^\/assets\/[\w-]+-[0-9A-Z]{8}\.js$/.test(path);
    assert.equal(isNamedByHash, scripts.includes(path), path);
    const expected = isNamedByHash ? "public, max-age=31536000, immutable" : "no-cache";
    assert.equal(cacheControl, expected, path);
  }
});

test("the page has its style, which the policy allows, and names at once what the first view needs", () => {
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(bodyOf("/index.html")) ?? [];
  assert.equal(policyOf().get("style-src"), `'sha256-${hash("sha256", style, "base64")}'`);
  const first = scripts
    .filter((path) => bodyOf("/index.html").includes(path))
    .map(bodyOf)
    .join("");
  const later = scripts
    .filter((path) => !bodyOf("/index.html").includes(path))
    .map(bodyOf)
    .join("");
  // Of the planner, of updates, of the ciphers and of the other views, by texts that no minifier changes.
  for (const text of ["/api/oauth/token", "/api/v1/manifest", "key-elsewhere", "getUserMedia"]) {
    assert.ok(later.includes(text), text);
    assert.ok(!first.includes(text), text);
  }
});
