import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { serveOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { createSigner } from "../../../conformance/release/driver/signer.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { createUpdateClient } from "./create-update-client.ts";
import { createMemoryStorage } from "./storage.ts";

const decision = {
  platform: "windows",
  updateAvailable: true,
  mandatory: false,
  current: { version: "1.1.0", buildNumber: 11 },
  target: { version: "1.2.0", buildNumber: 12 },
  minimumSupportedVersion: "1.0.0",
  download: "/api/v1/download/windows",
};

async function ask(t: TestContext, body: string, channel: ReleaseChannel, status = 200) {
  const asked: (string | undefined)[] = [];
  const baseUrl = await serveOnLoopback(t, (request, response) => {
    asked.push(request.url);
    response.writeHead(status).end(body);
  });
  const client = createUpdateClient({
    baseUrl,
    product: "habits",
    keys: { "release-2026-01": createSigner("release-2026-01").publicKey },
    channel,
    platform: "windows",
    current: decision.current,
    storage: createMemoryStorage(),
  });
  return { result: await client.hint(), asked };
}

test("the hint is marked as unsigned and has no address to download from", async (t) => {
  const { result, asked } = await ask(t, JSON.stringify(decision), "stable");
  assert.deepEqual(asked, ["/api/v1/update/windows?version=1.1.0&build=11"]);
  assert.deepEqual(result, {
    kind: "hint",
    hint: { signed: false, updateAvailable: true, mandatory: false, target: decision.target },
  });
});

test("a beta app asks for beta", async (t) => {
  const { asked } = await ask(t, JSON.stringify(decision), "beta");
  assert.deepEqual(asked, ["/api/v1/update/windows?version=1.1.0&build=11&channel=beta"]);
});

test("a refusal is no hint", async (t) => {
  const { result } = await ask(t, "{}", "stable", 404);
  assert.deepEqual(result, { kind: "no-hint", error: { kind: "http-status", status: 404 } });
});

for (const body of [
  "<html>",
  "null",
  "[]",
  JSON.stringify({ ...decision, updateAvailable: "yes" }),
  JSON.stringify({ ...decision, mandatory: undefined }),
  JSON.stringify({ ...decision, target: { version: "latest", buildNumber: 12 } }),
  JSON.stringify({ ...decision, target: { version: "1.2.0", buildNumber: "12" } }),
]) {
  test(`${body.slice(0, 40)} is no hint`, async (t) => {
    const { result } = await ask(t, body, "stable");
    const error = { kind: "malformed-response", detail: "not an update decision" };
    assert.deepEqual(result, { kind: "no-hint", error });
  });
}
