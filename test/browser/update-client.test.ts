/** The update client in a real browser: signature, state, download and digest, from a bundle. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import type * as ClientModule from "../../src/client/index.ts";
import { bundleClient } from "../fixtures/bundle-client.ts";
import { serveOnLoopback } from "../fixtures/loopback-server.ts";
import { createSigner } from "../../conformance/release/driver/signer.ts";
import { createPayload, createPublishedRelease } from "../fixtures/signed-envelope.ts";
import { launchChromium } from "./launch-chromium.ts";

const FILE = randomBytes(300_000);
const PARTIAL_BYTES = 100_000;
const sha256 = createHash("sha256").update(FILE).digest("hex");
const signer = createSigner("release-2026-01");
const [artifact] = createPublishedRelease().artifacts;
assert.ok(artifact);
const release = createPublishedRelease({
  artifacts: [{ ...artifact, url: "https://downloads.example.com/app", sha256, size: FILE.length }],
});
const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
const envelope = signer.seal(createPayload({ releases: [release], expiresAt }));

async function openPage(t: TestContext) {
  const { code } = await bundleClient("updateClient", "esm");
  const listeners: Record<string, RequestListener> = {
    "/": (_, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html>"),
    "/client.js": (_, response) => response.setHeader("Content-Type", "text/javascript").end(code),
    "/api/v1/manifest": (_, response) => response.end(JSON.stringify(envelope)),
    "/forged/api/v1/manifest": (_, response) =>
      response.end(JSON.stringify(createSigner(signer.keyId).seal(createPayload({ expiresAt })))),
    "/moved/api/v1/manifest": (_, response) =>
      response.writeHead(302, { Location: "/api/v1/manifest" }).end(),
    "/app": (request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const range = `bytes ${from}-${FILE.length - 1}/${FILE.length}`;
      // The length is set by `end`, as there is no other write.
      response.setHeader("ETag", '"app"');
      if (from > 0) response.writeHead(206, { "Content-Range": range });
      response.end(FILE.subarray(from));
    },
  };
  const origin = await serveOnLoopback(t, (request, response) =>
    (listeners[request.url ?? ""] ?? ((_, r) => r.writeHead(404).end()))(request, response),
  );
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  return page;
}

test("Chromium verifies, refuses a forgery and a redirect, downloads and resumes", async (t) => {
  const page = await openPage(t);
  const keys = { [signer.keyId]: signer.publicKey };
  const result = await page.evaluate(
    async ({ keys, partialBytes }) => {
      const { createMemoryStorage, createUpdateClient } = (await import(
        `${location.origin}/client.js`
      )) as typeof ClientModule;
      const createClient = (baseUrl: string) =>
        createUpdateClient({
          baseUrl,
          product: "habits",
          keys,
          platform: "linux",
          current: { version: "1.1.0", buildNumber: 11 },
          storage: createMemoryStorage(),
          // The artifact's host is made up; its files are here.
          fetch: (url, init) =>
            fetch(url.replace("https://downloads.example.com", location.origin), init),
        });
      const client = createClient(location.origin);
      const check = await client.check();
      if (check.kind !== "update-available") return { check };
      const received: Uint8Array[] = [];
      const sink = new WritableStream<Uint8Array>({ write: (chunk) => void received.push(chunk) });
      const etags = new Set<string | null>();
      const onProgress = ({ etag }: { etag: string | null }) => void etags.add(etag);
      const whole = await client.download(check.artifact, { sink, onProgress });
      const partial = new Blob(received as BlobPart[]).slice(0, partialBytes);
      const resumed = await client.download(check.artifact, {
        sink: new WritableStream<Uint8Array>(),
        partial: { read: () => partial.stream(), etag: [...etags][0] ?? null },
      });
      const forged = await createClient(`${location.origin}/forged`).check();
      const moved = await createClient(`${location.origin}/moved`).check();
      return { check: { kind: check.kind }, whole, resumed, forged, moved };
    },
    { keys, partialBytes: PARTIAL_BYTES },
  );
  const complete = { kind: "complete", size: FILE.length, sha256 };
  assert.deepEqual(result, {
    check: { kind: "update-available" },
    whole: complete,
    resumed: complete,
    forged: {
      kind: "cannot-confirm",
      error: { kind: "bad-signature", keyId: signer.keyId },
      notices: [],
    },
    moved: { kind: "cannot-confirm", error: { kind: "redirected" }, notices: [] },
  });
});
