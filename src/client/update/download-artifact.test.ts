import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { serveOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { createPublishedRelease } from "../../../test/fixtures/signed-envelope.ts";
import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import { downloadArtifact, type DownloadOptions } from "./download-artifact.ts";
import type { DownloadResult, DownloadProgress } from "./download-result.ts";
import type { Fetch } from "../transport/request-text.ts";

const HOST = "https://downloads.example.com";
const FILE = randomBytes(200_000);
const ETAG = '"v1"';

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function artifactOf(bytes: Uint8Array, changes: Partial<ReleaseArtifact> = {}): ReleaseArtifact {
  const [artifact] = createPublishedRelease().artifacts;
  assert.ok(artifact);
  const url = `${HOST}/app.bin?token=secret`;
  return { ...artifact, url, size: bytes.length, sha256: sha256(bytes), ...changes };
}

/** The https host of the artifact, played by a loopback server. */
const playedBy =
  (origin: string): Fetch =>
  (url, init) =>
    fetch(url.replace(HOST, origin), init);

/** Serves a file as a file host does: whole, or from a requested byte while the validator holds. */
const serveFile =
  (bytes: Uint8Array, seen: IncomingMessage["headers"][] = []): RequestListener =>
  (request, response) => {
    seen.push(request.headers);
    response.setHeader("ETag", ETAG);
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
    const holds = [undefined, ETAG].includes(request.headers["if-range"] as string | undefined);
    if (from === undefined || !holds) return response.end(bytes);
    if (Number(from) >= bytes.length) {
      return response.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
    }
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
    return response.writeHead(206, { "Content-Range": range }).end(bytes.subarray(Number(from)));
  };

/** A file on disk, as far as a sink can tell: bytes that stay, and how it was left. */
function createFile(already: Uint8Array = new Uint8Array()) {
  const chunks = [Uint8Array.from(already)];
  const ends: string[] = [];
  return {
    ends,
    bytes: () => new Uint8Array(Buffer.concat(chunks)),
    sink: {
      write: (chunk: Uint8Array) => void chunks.push(Uint8Array.from(chunk)),
      close: () => void ends.push("closed"),
      abort: (result: DownloadResult) => void ends.push(`aborted ${result.kind}`),
    },
  };
}

interface Run {
  readonly listener: RequestListener;
  readonly artifact?: ReleaseArtifact;
  readonly already?: Uint8Array;
  readonly etag?: string | null;
  readonly stallTimeoutMs?: number;
  readonly options?: Partial<DownloadOptions>;
}

async function run(t: TestContext, { listener, already, ...rest }: Run) {
  const file = createFile(already);
  const progress: DownloadProgress[] = [];
  const fetchFile = playedBy(await serveOnLoopback(t, listener));
  const result = await downloadArtifact(
    rest.artifact ?? artifactOf(FILE),
    {
      sink: file.sink,
      onProgress: (step) => progress.push(step),
      ...(already !== undefined && {
        partial: {
          read: () => streamOf(already),
          etag: rest.etag === undefined ? ETAG : rest.etag,
        },
      }),
      ...rest.options,
    },
    { fetch: fetchFile, stallTimeoutMs: rest.stallTimeoutMs ?? 5000 },
  );
  return { result, file, progress, error: errorOf(result) };
}

function errorOf(result: DownloadResult) {
  return result.kind === "incomplete" ? result.error : null;
}

async function* streamOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 7000) yield bytes.subarray(at, at + 7000);
}

const COMPLETE = { kind: "complete", size: FILE.length, sha256: sha256(FILE) };

test("a whole download is written, proved and closed once", async (t) => {
  const seen: IncomingMessage["headers"][] = [];
  const { result, file, progress } = await run(t, { listener: serveFile(FILE, seen) });
  assert.deepEqual(result, COMPLETE);
  assert.equal(seen[0]?.["accept-encoding"], "identity");
  assert.deepEqual(file.ends, ["closed"]);
  assert.deepEqual(file.bytes(), new Uint8Array(FILE));
  const last = { receivedBytes: FILE.length, totalBytes: FILE.length, etag: ETAG };
  assert.deepEqual(progress.at(-1), last);
});

test("progress only grows and never passes the size", async (t) => {
  const { progress } = await run(t, {
    listener: serveFile(FILE),
    already: FILE.subarray(0, 50_000),
  });
  assert.ok(progress.length > 2);
  progress.reduce((before, { receivedBytes, totalBytes }) => {
    assert.ok(receivedBytes > before && receivedBytes <= totalBytes);
    return receivedBytes;
  }, 0);
});

test("a WritableStream will do as a sink", async (t) => {
  const chunks: Uint8Array[] = [];
  let closed = false;
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) => void chunks.push(chunk),
    close: () => void (closed = true),
  });
  const { result } = await run(t, { listener: serveFile(FILE), options: { sink } });
  assert.deepEqual(result, COMPLETE);
  assert.ok(closed);
  assert.equal(sha256(Buffer.concat(chunks)), COMPLETE.sha256);
});

test("a sink that takes each buffer away does not disturb the digest", async (t) => {
  const sink = {
    write: (chunk: Uint8Array) => void structuredClone(chunk, { transfer: [chunk.buffer] }),
    close: () => {},
    abort: () => {},
  };
  const { result } = await run(t, { listener: serveFile(FILE), options: { sink } });
  assert.deepEqual(result, COMPLETE);
});

test("wherever a transfer is cut, the next attempt completes it with the same bytes", async (t) => {
  const bytes = FILE.subarray(0, 40_000);
  let cutAt = 0;
  const whole = serveFile(bytes);
  const fetchFile = playedBy(
    await serveOnLoopback(t, (request, response) =>
      request.headers.range === undefined
        ? sendPart(response, bytes, cutAt)
        : whole(request, response),
    ),
  );
  const means = { fetch: fetchFile, stallTimeoutMs: 5000 };
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), async (cut) => {
      cutAt = cut;
      const file = createFile();
      const first = await downloadArtifact(artifactOf(bytes), { sink: file.sink }, means);
      assert.ok(first.kind === "incomplete" && first.resumable);
      assert.equal(first.receivedBytes, file.bytes().length);
      assert.deepEqual(file.bytes(), new Uint8Array(bytes.subarray(0, first.receivedBytes)));
      // A download without a beginning cannot be resumed, and the server would cut it again.
      if (first.receivedBytes === 0) return;
      const partial = { read: () => streamOf(file.bytes()), etag: first.etag };
      const second = await downloadArtifact(artifactOf(bytes), { sink: file.sink, partial }, means);
      assert.equal(second.kind, "complete");
      assert.deepEqual(file.bytes(), new Uint8Array(bytes));
    }),
    { numRuns: 60 },
  );
});

/** Promises the whole, sends a part, and hangs up. */
function sendPart(response: ServerResponse, bytes: Uint8Array, length: number): void {
  response.writeHead(200, { "Content-Length": bytes.length, ETag: ETAG });
  response.write(bytes.subarray(0, length));
  setImmediate(() => response.destroy());
}

test("a resumed download asks for the rest under the earlier ETag", async (t) => {
  const seen: IncomingMessage["headers"][] = [];
  const already = FILE.subarray(0, 123_456);
  const { result, file } = await run(t, { listener: serveFile(FILE, seen), already, etag: ETAG });
  assert.deepEqual(result, COMPLETE);
  assert.deepEqual(file.bytes(), new Uint8Array(FILE));
  assert.equal(seen.length, 1);
  assert.equal(seen[0]?.range, "bytes=123456-");
  assert.equal(seen[0]?.["if-range"], ETAG);
  assert.equal(seen[0]?.["accept-encoding"], "identity");
});

test("bytes whose response had no strong ETag are not resumed, and nothing is requested", async (t) => {
  for (const etag of [null, 'W/"v1"', "v1"]) {
    const seen: IncomingMessage["headers"][] = [];
    const already = FILE.subarray(0, 10);
    const { result, error } = await run(t, { listener: serveFile(FILE, seen), already, etag });
    assert.deepEqual(error, { kind: "partial-unusable", cause: "no strong ETag" });
    assert.ok(result.kind === "incomplete" && !result.resumable);
    assert.equal(seen.length, 0);
  }
});

/** Promises the whole file with these headers, sends a part of it, and hangs up. */
const cutOff =
  (headers: Readonly<Record<string, string>>, length = 500): RequestListener =>
  (_, response) => {
    response.writeHead(200, headers).write(FILE.subarray(0, length));
    setTimeout(() => response.destroy(), 20);
  };

for (const [name, headers] of [
  ["no ETag", { "Content-Length": "200000" }],
  ["a weak ETag", { "Content-Length": "200000", ETag: 'W/"v1"' }],
  ["no length", { ETag: ETAG }],
  ["the length of another file", { "Content-Length": "199999", ETag: ETAG }],
] as const) {
  test(`bytes of a response with ${name} are never kept to be resumed`, async (t) => {
    const { result, progress } = await run(t, { listener: cutOff(headers) });
    assert.ok(result.kind === "incomplete" && !result.resumable);
    assert.equal(result.receivedBytes, 500);
    assert.ok(progress.every(({ etag }) => etag === null));
  });
}

test("a rest without the length of the whole cannot be resumed again", async (t) => {
  const listener: RequestListener = (_, response) =>
    void response
      .writeHead(206, { "Content-Range": "bytes 1000-1999/*" })
      .end(FILE.subarray(1000, 2000));
  const { result, error } = await run(t, { listener, already: FILE.subarray(0, 1000) });
  assert.deepEqual(error, { kind: "truncated" });
  assert.ok(result.kind === "incomplete" && !result.resumable);
});

test("a rest of another version of the file is discarded, and the whole is requested", async (t) => {
  const listener: RequestListener = (request, response) => {
    if (request.headers.range === undefined) return sendAll(request, response);
    return response
      .writeHead(206, { "Content-Range": "bytes 1000-199999/200000", ETag: '"v2"' })
      .end(Buffer.alloc(199_000));
  };
  const { result } = await run(t, { listener, already: FILE.subarray(0, 1000) });
  assert.deepEqual(result, COMPLETE);
});

test("a page in the place of the file is named, and what the app has stays resumable", async (t) => {
  const contentType = "Text/HTML; charset=utf-8";
  const listener: RequestListener = (_, response) =>
    void response
      .writeHead(200, { "Content-Type": contentType, ETag: '"portal"', "Content-Length": "200000" })
      .end(Buffer.alloc(200_000, "<p>Sign in to this network</p>"));
  for (const already of [undefined, FILE.subarray(0, 1000)]) {
    const { result, error, file } = await run(t, { listener, ...(already && { already }) });
    assert.deepEqual(error, { kind: "not-the-file", contentType });
    assert.ok(result.kind === "incomplete" && result.resumable);
    assert.equal(result.etag, already === undefined ? null : ETAG);
    assert.equal(file.bytes().length, already?.length ?? 0);
  }
});

test("the bytes that the app already has are skipped when a server sends the whole file", async (t) => {
  const already = FILE.subarray(0, 99_999);
  for (const [etag, listener] of [
    [ETAG, sendAll],
    ['"older"', serveFile(FILE)],
  ] as const) {
    const { result, file } = await run(t, { listener, already, etag });
    assert.deepEqual(result, COMPLETE);
    assert.deepEqual(file.bytes(), new Uint8Array(FILE));
  }
});

const sendAll: RequestListener = (_, response) => void response.end(FILE);

for (const [name, contentRange] of [
  ["another start", "bytes 0-199999/200000"],
  ["another length of the whole", "bytes 100000-199999/300000"],
  ["an end beyond the artifact", "bytes 100000-200000/*"],
  ["nonsense", "bytes lots"],
  ["no Content-Range", undefined],
] as const) {
  test(`a partial response with ${name} is discarded, and the whole is requested`, async (t) => {
    const listener: RequestListener = (request, response) => {
      if (request.headers.range === undefined) return sendAll(request, response);
      return response
        .writeHead(206, contentRange === undefined ? {} : { "Content-Range": contentRange })
        .end("not the bytes you are looking for");
    };
    const { result, file } = await run(t, { listener, already: FILE.subarray(0, 100_000) });
    assert.deepEqual(result, COMPLETE);
    assert.deepEqual(file.bytes(), new Uint8Array(FILE));
  });
}

test("a range that cannot be satisfied is followed by asking for the whole", async (t) => {
  const listener: RequestListener = (request, response) =>
    request.headers.range === undefined
      ? sendAll(request, response)
      : response.writeHead(416).end();
  const { result } = await run(t, { listener, already: FILE.subarray(0, 100_000) });
  assert.deepEqual(result, COMPLETE);
});

test("a partial response to a request for the whole file is refused", async (t) => {
  const contentRange = "bytes 0-9/10";
  const listener: RequestListener = (_, response) =>
    void response.writeHead(206, { "Content-Range": contentRange }).end("0123456789");
  const { error, file } = await run(t, { listener });
  assert.deepEqual(error, { kind: "wrong-range", contentRange });
  assert.deepEqual(file.ends, ["aborted incomplete"]);
});

test("a shorter range than asked for leaves a download that can go on", async (t) => {
  const listener: RequestListener = (_, response) =>
    void response
      .writeHead(206, { "Content-Range": "bytes 1000-1999/200000" })
      .end(FILE.subarray(1000, 2000));
  const { result, error } = await run(t, { listener, already: FILE.subarray(0, 1000) });
  assert.deepEqual(error, { kind: "truncated" });
  assert.ok(result.kind === "incomplete" && result.resumable);
  assert.equal(result.receivedBytes, 2000);
});

test("a complete partial file is verified without a request", async (t) => {
  const seen: IncomingMessage["headers"][] = [];
  const { result, file } = await run(t, { listener: serveFile(FILE, seen), already: FILE });
  assert.deepEqual(result, COMPLETE);
  assert.deepEqual(file.ends, ["closed"]);
  assert.equal(seen.length, 0);
});

test("one wrong byte in the partial file spoils the digest", async (t) => {
  const already = Uint8Array.from(FILE.subarray(0, 5000));
  already[17] = (already[17] ?? 0) ^ 1;
  const { result, error, file } = await run(t, { listener: serveFile(FILE), already });
  assert.equal(error?.kind, "digest-mismatch");
  assert.ok(result.kind === "incomplete" && !result.resumable);
  assert.deepEqual(file.ends, ["aborted incomplete"]);
});

test("a partial file longer than the artifact is useless", async (t) => {
  const { error } = await run(t, {
    listener: serveFile(FILE),
    already: Buffer.concat([FILE, Buffer.of(0)]),
  });
  assert.equal(error?.kind, "partial-unusable");
});

test("a partial file that cannot be read is useless", async (t) => {
  const cause = new Error("no such file");
  const failing = {
    read: () => {
      throw cause;
    },
  };
  const { error } = await run(t, { listener: serveFile(FILE), options: { partial: failing } });
  assert.deepEqual(error, { kind: "partial-unusable", cause });
});

test("other bytes of the right length are a mismatch and never closed", async (t) => {
  const other = randomBytes(FILE.length);
  const { error, result, file } = await run(t, { listener: serveFile(other) });
  assert.deepEqual(error, {
    kind: "digest-mismatch",
    expected: sha256(FILE),
    found: sha256(other),
  });
  assert.ok(result.kind === "incomplete" && !result.resumable);
  assert.deepEqual(file.ends, ["aborted incomplete"]);
});

test("a body that goes on past the size is cut off, and no byte beyond it is written", async (t) => {
  const listener: RequestListener = (_, response) => {
    response.write(FILE);
    response.end("one more");
  };
  const { error, file } = await run(t, { listener });
  assert.deepEqual(error, { kind: "too-large" });
  assert.ok(file.bytes().length <= FILE.length);
  assert.deepEqual(file.ends, ["aborted incomplete"]);
});

test("a Content-Length that promises less than the artifact is a truncated download", async (t) => {
  const listener: RequestListener = (_, response) =>
    void response.writeHead(200, { "Content-Length": 500, ETag: ETAG }).end(FILE.subarray(0, 500));
  const { error, file, result } = await run(t, { listener });
  assert.deepEqual(error, { kind: "truncated" });
  assert.ok(result.kind === "incomplete" && !result.resumable);
  assert.deepEqual(file.bytes(), new Uint8Array(FILE.subarray(0, 500)));
});

test("a Content-Length that promises more than comes is a lost connection", async (t) => {
  const listener: RequestListener = (_, response) => sendPart(response, FILE, 500);
  const { error, result } = await run(t, { listener });
  assert.equal(error?.kind, "connection-lost");
  assert.ok(result.kind === "incomplete" && result.resumable);
});

test("silence for longer than the stall limit ends the transfer", async (t) => {
  const beforeHeaders = await run(t, { listener: () => {}, stallTimeoutMs: 50 });
  assert.deepEqual(beforeHeaders.error, { kind: "stalled", stallTimeoutMs: 50 });
  const midway = await run(t, {
    listener: (_, response) => void response.write(FILE.subarray(0, 1000)),
    stallTimeoutMs: 1000,
  });
  assert.deepEqual(midway.error, { kind: "stalled", stallTimeoutMs: 1000 });
  assert.equal(midway.result.kind === "incomplete" && midway.result.receivedBytes, 1000);
});

test("a slow sink is no stall", async (t) => {
  const chunks: Uint8Array[] = [];
  const sink = {
    write: async (chunk: Uint8Array) => {
      if (chunks.push(chunk) === 1) await new Promise((resolve) => setTimeout(resolve, 1500));
    },
    close: () => {},
    abort: () => {},
  };
  const { result } = await run(t, {
    listener: serveFile(FILE),
    options: { sink },
    stallTimeoutMs: 1000,
  });
  assert.deepEqual(result, COMPLETE);
});

test("the app can stop a download and keep what it has", async (t) => {
  const stop = new AbortController();
  const { error, result, file } = await run(t, {
    listener: (_, response) =>
      void response
        .writeHead(200, { "Content-Length": FILE.length, ETag: ETAG })
        .write(FILE.subarray(0, 1000)),
    options: { signal: stop.signal, onProgress: () => stop.abort() },
  });
  assert.deepEqual(error, { kind: "cancelled" });
  assert.ok(result.kind === "incomplete" && result.resumable);
  assert.equal(file.bytes().length, 1000);
  const early = await run(t, {
    listener: serveFile(FILE),
    already: FILE.subarray(0, 10),
    options: { signal: AbortSignal.abort() },
  });
  assert.deepEqual(early.error, { kind: "cancelled" });
});

test("a refusing or missing server leaves the partial file usable", async (t) => {
  const refused = await run(t, { listener: (_, response) => void response.writeHead(403).end() });
  assert.deepEqual(refused.error, { kind: "http-status", status: 403 });
  const notFound: RequestListener = (_, response) => void response.writeHead(404).end();
  const resumed = await run(t, { listener: notFound, already: FILE.subarray(0, 9) });
  assert.deepEqual(resumed.error, { kind: "http-status", status: 404 });
  const gone: Fetch = () => fetch("http://127.0.0.1:1");
  const file = createFile();
  const means = { fetch: gone, stallTimeoutMs: 5000 };
  const result = await downloadArtifact(artifactOf(FILE), { sink: file.sink }, means);
  assert.equal(errorOf(result)?.kind, "unreachable");
  assert.ok(result.kind === "incomplete" && result.resumable);
});

test("an address that is not https is never asked", async (t) => {
  const seen: IncomingMessage["headers"][] = [];
  const artifact = artifactOf(FILE, { url: "http://downloads.example.com/app.bin" });
  const { error } = await run(t, { listener: serveFile(FILE, seen), artifact });
  assert.deepEqual(error, { kind: "insecure-address" });
  assert.equal(seen.length, 0);
});

test("a redirect that leaves https is refused before a byte is written", async (t) => {
  const listener: RequestListener = (request, response) =>
    request.url?.startsWith("/app.bin")
      ? response.writeHead(302, { Location: "/elsewhere" }).end()
      : sendAll(request, response);
  const { error, file } = await run(t, { listener });
  assert.deepEqual(error, { kind: "insecure-address" });
  assert.equal(file.bytes().length, 0);
});

test("a redirect within https is followed", async (t) => {
  const origin = await serveOnLoopback(t, sendAll);
  const redirected: Fetch = async (url, init) => {
    const response = await playedBy(origin)(url, init);
    Object.defineProperty(response, "redirected", { value: true });
    Object.defineProperty(response, "url", { value: `${HOST}/store/app.bin` });
    return response;
  };
  const file = createFile();
  const means = { fetch: redirected, stallTimeoutMs: 5000 };
  const result = await downloadArtifact(artifactOf(FILE), { sink: file.sink }, means);
  assert.deepEqual(result, COMPLETE);
});

test("a sink that fails to write or to close is not a completed download", async (t) => {
  const cause = new Error("disk full");
  const fail = () => Promise.reject(cause);
  const sound = { write: () => {}, close: () => {}, abort: fail };
  for (const sink of [
    { ...sound, write: fail },
    { ...sound, close: fail },
  ]) {
    const { error, result } = await run(t, { listener: serveFile(FILE), options: { sink } });
    assert.deepEqual(error, { kind: "sink-failed", cause });
    assert.ok(result.kind === "incomplete" && !result.resumable);
  }
});

test("an error of the app's progress callback reaches the app, and the sink is aborted", async (t) => {
  const bug = new Error("callback");
  const origin = await serveOnLoopback(t, serveFile(FILE));
  const file = createFile();
  const onProgress = () => {
    throw bug;
  };
  const means = { fetch: playedBy(origin), stallTimeoutMs: 5000 };
  await assert.rejects(
    downloadArtifact(artifactOf(FILE), { sink: file.sink, onProgress }, means),
    bug,
  );
  assert.deepEqual(file.ends, ["aborted incomplete"]);
});
