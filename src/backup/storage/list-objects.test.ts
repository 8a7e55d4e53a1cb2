/** A server that is no honest S3: its lists end, and an unusual page is no exception. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { serveOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { readS3Settings } from "./s3-settings.ts";
import { createS3Storage } from "./s3-storage.ts";

/** Lists the objects of a server that sends these pages, and then the last one again and again. */
async function list(t: TestContext, ...pages: readonly string[]) {
  let requests = 0;
  const endpoint = await serveOnLoopback(t, (_, response) => {
    // Without its defence the test would never end.
    if (requests > pages.length) response.statusCode = 418;
    response.end(pages[Math.min(requests++, pages.length - 1)]);
  });
  const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_ENDPOINT_URL: endpoint };
  const result = readS3Settings("s3://bucket", { env, isVirtualHost: false });
  assert.ok(result.kind === "settings");
  return createS3Storage(result.settings, { retryDelayMs: 1, idleTimeoutMs: 10_000 }).list("");
}

const next = (token: string) => `<NextContinuationToken>${token}</NextContinuationToken>`;
const object = (key: string) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`;

test("pages that follow each other in a circle end", async (t) => {
  const result = await list(t, next("a"), next("b"), next("a"));
  assert.equal(result.kind, "failed");
  assert.match(result.kind === "failed" ? result.message : "", /a list of objects without an end/);
});

test("a page with more objects than a call has arguments is read", async (t) => {
  const result = await list(t, object("a").repeat(300_000));
  assert.equal(result.kind === "listed" && result.objects.length, 300_000);
});

test("a character that does not exist stays as it is written", async (t) => {
  const key = "a&#99999999;&#xffffffff;&#65;&#x10ffff;";
  const result = await list(t, object(key));
  assert.deepEqual(result, {
    kind: "listed",
    objects: [{ key: "a&#99999999;&#xffffffff;A\u{10ffff}", size: 1 }],
  });
});
