import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { bundleUpdateClient } from "../../test/fixtures/bundle-update-client.ts";
import { serveOnLoopback } from "../../test/fixtures/loopback-server.ts";
import { createPayload, createSigner, ISSUED_AT } from "../../test/fixtures/signed-envelope.ts";
import type * as ClientModule from "./index.ts";

/** It becomes a part of somebody else's app: 19.4 KB when last measured, 8 KB compressed. */
const BUDGET_BYTES = 20 * 1024;

test("the bundled update client is small and holds nothing but client, rules and values", async () => {
  const { code, inputs } = await bundleUpdateClient("esm");
  assert.ok(code.length <= BUDGET_BYTES, `${code.length} bytes are over ${BUDGET_BYTES}`);
  for (const [path, { imports }] of Object.entries(inputs)) {
    if (path === "<stdin>") continue;
    assert.match(
      path,
      /^src\/(?:client|rules|contract\/(?:date-time|loopback|release\/values)\.ts)/,
    );
    assert.deepEqual(
      imports.filter(({ external }) => external),
      [],
    );
  }
});

/** All that the client needs of its surroundings. */
const WEB_GLOBALS = {
  AbortController,
  AbortSignal,
  Blob,
  TextDecoder,
  URL,
  URLSearchParams,
  clearTimeout,
  crypto,
  fetch,
  setTimeout,
};

test("the bundle works in a world that has web standards and nothing of Node", async (t) => {
  const signer = createSigner("release-2026-01");
  const baseUrl = await serveOnLoopback(t, (_, response) =>
    response.end(JSON.stringify(signer.seal(createPayload()))),
  );
  const { code } = await bundleUpdateClient("iife");
  const world: unknown = runInNewContext(`${code};updateClient`, { ...WEB_GLOBALS });
  const client = (world as typeof ClientModule).createUpdateClient({
    baseUrl,
    product: "habits",
    keys: { [signer.keyId]: signer.publicKey },
    platform: "linux",
    current: { version: "1.1.0", buildNumber: 11 },
    now: () => ISSUED_AT,
  });
  assert.equal((await client.check()).kind, "update-available");
});
