import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { handleFetch } from "../../src/http/fetch.ts";
import { createMirror } from "./mirror.ts";

const PAYLOAD = { schemaVersion: 1, sequence: 7, releases: [{ version: "1.0.0", buildNumber: 1 }] };
const ENVELOPE = {
  schemaVersion: 1,
  keyId: "release-2026-01",
  algorithm: "ed25519",
  payload: Buffer.from(JSON.stringify(PAYLOAD)).toString("base64url"),
  signature: "c2lnbmF0dXJl",
};

/** An upstream that has one manifest, and knows its ETag. */
async function createUpstream(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const isKnown = request.headers["if-none-match"] === '"one"';
    response.writeHead(isKnown ? 304 : 200, { ETag: '"one"', "Content-Type": "application/json" });
    response.end(isKnown ? undefined : JSON.stringify(ENVELOPE));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a mirror passes on the responses of its upstream, until an attacker has it", async (t) => {
  const mirror = createMirror(await createUpstream(t));
  const ask = (headers: Record<string, string> = {}) =>
    handleFetch(mirror.service, new Request("http://localhost/api/v1/manifest", { headers }));
  const genuine = await ask();
  assert.equal(genuine.headers.get("ETag"), '"one"');
  assert.deepEqual(await genuine.json(), ENVELOPE);
  assert.equal((await ask({ "If-None-Match": '"one"' })).status, 304);

  assert.equal(await mirror.takeOver(), "9.9.9");
  const forged = (await (await ask({ "If-None-Match": '"one"' })).json()) as typeof ENVELOPE;
  assert.equal(forged.keyId, ENVELOPE.keyId);
  assert.notEqual(forged.signature, ENVELOPE.signature);
  const payload = JSON.parse(Buffer.from(forged.payload, "base64url").toString()) as typeof PAYLOAD;
  assert.equal(payload.sequence, 8);
  assert.equal(payload.releases[0]?.version, "9.9.9");

  mirror.giveBack();
  assert.deepEqual(await (await ask()).json(), ENVELOPE);
});

test("a request in the absolute form is one to the upstream", async (t) => {
  const mirror = createMirror(await createUpstream(t));
  const request = { method: "GET", header: () => null, remoteAddress: "", async *body() {} };
  const target = "http://elsewhere.example/api/v1/manifest?a=1";
  const { status } = await mirror.service.respond({ ...request, target });
  assert.equal(status, 200);
});
