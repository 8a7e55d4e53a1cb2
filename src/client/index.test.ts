import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { bundleClient, bundleEncryptedClient } from "../../test/fixtures/bundle-client.ts";
import { serveOnLoopback } from "../../test/fixtures/loopback-server.ts";
import { createSigner } from "../../conformance/release/driver/signer.ts";
import { createPayload, ISSUED_AT } from "../../test/fixtures/signed-envelope.ts";
import type * as ClientModule from "./index.ts";

/**
 * The budget of each client as a part of an app. Last measured: 32.5, 21.6 and 107.5 KB; compressed
 * 12.8, 8.7 and 39.7 KB.
 */
const BUDGET_KB = {
  // Staged rollouts take 1.3 KB of the update client, the signed files 0.2 KB compressed; kinds of packages and
  // refusing what cannot be resumed 0.8 KB, 0.4 KB compressed.
  // The history that a manifest's archive has takes 1.2 KB of it, 0.3 KB compressed.
  updateClient: { bytes: 32.6, compressed: 12.8 },
  eventsClient: { bytes: 27, compressed: 12 },
  // The target is 30 KB compressed; a bundler cannot leave methods out, and so neither collections (12 KB).
  // Live queries over several indexes, and shapes that change, take 16 KB of it, 6 KB compressed.
  // The refusals of an app's mistakes take 0.6 KB of it, what it says of a browser without a storage 0.3 KB.
  // The account's list of keys and what cannot be read take 1.9 KB of it, 0.6 KB compressed.
  // Opening from stored indexes and pages, and transactions of 1,000 edits take 6.6 KB of it, 2.3 KB compressed; a
  // quarter of what is compressed are the sentences of refusals.
  // The name that an app gives a device takes 0.6 KB of it, 0.3 KB compressed.
  syncClient: { bytes: 115, compressed: 42.5 },
} as const;

for (const name of ["updateClient", "eventsClient", "syncClient"] as const) {
  test(`the bundled ${name} is small and contains only client, rules, values and a hash`, async () => {
    const { code, inputs } = await bundleClient(name, "esm");
    const { bytes, compressed } = BUDGET_KB[name];
    assert.ok(code.length <= bytes * 1024, `${code.length} bytes are over ${bytes} KB`);
    const { length } = gzipSync(code);
    assert.ok(length <= compressed * 1024, `${length} compressed bytes are over ${compressed} KB`);
    for (const [path, { imports }] of Object.entries(inputs)) {
      if (path === "<stdin>") continue;
      assert.match(
        path,
        /^src\/(?:client|rules|contract\/(?:date-time|durations|identity|is-object|json-scanner|loopback|(?:events|release|sync)\/(?:account-keys|device-name|values|operation-limits|page-header|refused-operations))\.ts)|node_modules\/(?:@noble\/hashes|fractional-indexing)\//,
      );
      assert.deepEqual(
        imports.filter(({ external }) => external),
        [],
      );
    }
  });
}

/**
 * What end-to-end encryption adds, compressed; last measured 17.1 KB. The target is 14 KB, of which the ciphers
 * and hashes take 7.3 KB.
 */
const ENCRYPTION_KB = 17.2;

test("end-to-end encryption adds little to an app that uses it, and no other app has a byte of it", async () => {
  const [without, withIt] = await Promise.all([
    bundleClient("syncClient", "esm"),
    bundleEncryptedClient(),
  ]);
  const added = gzipSync(withIt.code).length - gzipSync(without.code).length;
  assert.ok(
    added <= ENCRYPTION_KB * 1024,
    `${added} compressed bytes are over ${ENCRYPTION_KB} KB`,
  );
  const isEncryption = (path: string) => /client\/encryption\/|@noble\/ciphers/.test(path);
  assert.deepEqual(Object.keys(without.inputs).filter(isEncryption), []);
  assert.ok(Object.keys(withIt.inputs).some(isEncryption));
  // The management of keys and the rules of sealed operations, by texts that no minifier changes.
  for (const text of ["recoveryKey", "key-exists", "key-elsewhere", "not_sealed"]) {
    assert.ok(withIt.code.includes(text), text);
    assert.ok(!without.code.includes(text), text);
  }
});

test("the code of the client does not import TypeBox", async () => {
  const packages = new Set<string>();
  const files = new Set([new URL("index.ts", import.meta.url).href]);
  for (const file of files) {
    const source = await readFile(new URL(file), "utf8");
    for (const [, specifier = ""] of source.matchAll(
      /^(?:im|ex)port (?!type )[^;]*?from "([^"]+)";/gm,
    )) {
      if (specifier.startsWith(".")) files.add(new URL(specifier, file).href);
      else packages.add(specifier);
    }
  }
  assert.ok(files.size > 20);
  assert.deepEqual([...packages].sort(), [
    "@noble/hashes/sha2.js",
    "@noble/hashes/utils.js",
    "fractional-indexing",
  ]);
});

/** All globals that the client needs. */
const WEB_GLOBALS = {
  AbortController,
  AbortSignal,
  Blob,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  crypto,
  fetch,
  setTimeout,
};

test("the update client works in an environment of web standards without Node", async (t) => {
  const signer = createSigner("release-2026-01");
  const baseUrl = await serveOnLoopback(t, (_, response) =>
    response.end(JSON.stringify(signer.seal(createPayload()))),
  );
  const { code } = await bundleClient("updateClient", "iife");
  const world: unknown = runInNewContext(`${code};updateClient`, { ...WEB_GLOBALS });
  const { createMemoryStorage, createUpdateClient } = world as typeof ClientModule;
  const client = createUpdateClient({
    baseUrl,
    product: "habits",
    keys: { [signer.keyId]: signer.publicKey },
    platform: "linux",
    current: { version: "1.1.0", buildNumber: 11 },
    storage: createMemoryStorage(),
    now: () => ISSUED_AT,
  });
  assert.equal((await client.check()).kind, "update-available");
});

test("the sync client works in an environment of web standards without Node", async () => {
  const { code } = await bundleClient("syncClientInMemory", "iife");
  const world: unknown = runInNewContext(`${code};syncClientInMemory`, { ...WEB_GLOBALS });
  const { createMemorySyncStorage, createSyncClient } = world as typeof ClientModule;
  const client = await createSyncClient({
    baseUrl: "https://sync.example.com",
    redirectUri: "https://app.example.com/callback",
    storage: createMemorySyncStorage(),
    profile: "open",
    fetch: () => Promise.reject(new TypeError("fetch failed")),
  });
  const result = await client.create("note/1", { text: "a" });
  assert.equal(result.kind, "stored");
  assert.equal(client.entities.list("note")[0]?.payload["text"], "a");
  const begun = await client.beginSignIn();
  assert.equal(begun.kind === "not-signed-in" && begun.error.kind, "unreachable");
  assert.equal((await client.sync()).kind, "not-synced");
  await client.close();
});

test("the events client works in an environment of web standards without Node", async (t) => {
  const event = { id: "e1", type: "exam", title: "Algebra", date: "2026-08-21T23:59:00Z" };
  const server = await serveOnLoopback(t, (request, response) => {
    const isToken = request.url === "/api/oauth/token";
    response.end(
      JSON.stringify(isToken ? { access_token: "t0ken" } : { events: [event], has_more: false }),
    );
  });
  const { code } = await bundleClient("eventsClient", "iife");
  const world: unknown = runInNewContext(`${code};eventsClient`, { ...WEB_GLOBALS });
  const { createEventsClient, importEvents, parseServiceOrigin } = world as typeof ClientModule;
  const parsed = parseServiceOrigin("https://Planner.Example.org/");
  const origin = parsed.kind === "accepted" ? parsed.origin : "";
  const client = createEventsClient({
    origin,
    clientId: "trellis-demo",
    redirectUri: "trellis-demo://auth/callback",
    fetch: (url, init) => fetch(url.replace(origin, server), init),
  });
  const begun = await client.beginLogin();
  assert.equal(begun.kind, "begun");
  if (begun.kind !== "begun") return;
  const callback = `trellis-demo://auth/callback?code=c0de&state=${begun.pending.state}`;
  const login = await client.completeLogin(callback, begun.pending);
  assert.equal(login.kind === "connected" && login.accessToken, "t0ken");
  const sync = await client.syncEvents({ accessToken: "t0ken", state: null });
  const report = importEvents(sync.events, [], { serviceName: "My planner" });
  assert.equal(report.imported[0]?.name, "Algebra");
});
