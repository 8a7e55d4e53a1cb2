import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { serveOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { S3_BUCKET, serveS3, type S3ServerOptions } from "../../../test/fixtures/s3-server.ts";
import { computeS3Signature } from "../../../test/fixtures/verify-s3-signature.ts";
import type { NewObject } from "./object-storage.ts";
import { readS3Settings } from "./s3-settings.ts";
import { createS3Storage } from "./s3-storage.ts";

const PUT = { isReplacing: false };

async function createFile(t: TestContext, content: string, key: string): Promise<NewObject> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-upload-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "file");
  await writeFile(path, content);
  return {
    key,
    path,
    size: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
    contentType: "application/zip",
    cacheControl: "public, max-age=31536000, immutable",
  };
}

function open(env: Readonly<Record<string, string>>, address = `s3://${S3_BUCKET}`) {
  const result = readS3Settings(address, { env, isVirtualHost: false });
  assert.ok(result.kind === "settings", JSON.stringify(result));
  return createS3Storage(result.settings, { retryDelayMs: 1, idleTimeoutMs: 2000 });
}

async function prepare(t: TestContext, options?: S3ServerOptions) {
  const server = await serveS3(t, options);
  const object = await createFile(t, "the windows app", "1.0.0/app.zip");
  return { server, object };
}

test("the server of these tests computes the signature of Amazon's own example", () => {
  const digest = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
  const names = "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class";
  const request = {
    method: "PUT",
    target: "/test%24file.text",
    headers: {
      host: "examplebucket.s3.amazonaws.com",
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-date": "20130524T000000Z",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": digest,
      authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${"0".repeat(64)}`,
    },
  };
  assert.equal(
    computeS3Signature(request, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  );
});

test("a file is stored with its type and lifetime, and is then equal", async (t) => {
  const { server, object } = await prepare(t);
  const storage = open(server.env, `s3://${S3_BUCKET}/habits/`);
  assert.equal(storage.addressOf(object.key), `s3://${S3_BUCKET}/habits/1.0.0/app.zip`);
  assert.deepEqual(await storage.compare(object), { kind: "absent" });
  const seen: number[] = [];
  const onProgress = (done: number) => void seen.push(done);
  assert.deepEqual(await storage.put(object, { ...PUT, onProgress }), { kind: "stored" });
  assert.deepEqual(seen, [15]);
  const stored = await server.read("habits/1.0.0/app.zip");
  assert.equal(await stored.text(), "the windows app");
  assert.equal(stored.headers.get("content-type"), "application/zip");
  assert.equal(stored.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.deepEqual(await storage.compare(object), { kind: "equal" });
});

test("keys with characters that addresses encode are signed as they are sent", async (t) => {
  const { server, object } = await prepare(t);
  for (const name of ["My App (x64)+1.zip", "ä'!*~.zip", "a%2Fb.zip"]) {
    const renamed = { ...object, key: `1.0.0/${name}` };
    assert.deepEqual(await open(server.env).put(renamed, PUT), { kind: "stored" }, name);
    assert.equal((await server.read(`1.0.0/${encodeURIComponent(name)}`)).status, 200, name);
  }
});

test("an object that another program put there is compared by its content", async (t) => {
  const { server, object } = await prepare(t);
  await server.write(object.key, "the windows app");
  assert.deepEqual(await open(server.env).compare(object), { kind: "equal" });
  await server.write(object.key, "the WINDOWS app");
  assert.deepEqual(await open(server.env).compare(object), { kind: "different" });
  await server.write(object.key, "longer than the windows app");
  assert.deepEqual(await open(server.env).compare(object), { kind: "different" });
});

test("a wrong secret and an unknown key are refused, and no message has the secret", async (t) => {
  const { server, object } = await prepare(t);
  for (const [wrong, message] of [
    [{ AWS_SECRET_ACCESS_KEY: "another secret" }, /check AWS_SECRET_ACCESS_KEY/],
    [{ AWS_ACCESS_KEY_ID: "another-key" }, /check AWS_ACCESS_KEY_ID/],
  ] as const) {
    const storage = open({ ...server.env, ...wrong });
    for (const result of [await storage.compare(object), await storage.put(object, PUT)]) {
      assert.ok(result.kind === "failed");
      assert.match(result.message, /^s3:\/\/releases\/1\.0\.0\/app\.zip: /);
      assert.match(result.message, message);
      assert.doesNotMatch(result.message, /another|Signature=|Credential/);
    }
  }
  assert.equal((await server.read(object.key)).status, 404);
});

test("the server refuses content that is not the file of the catalogue", async (t) => {
  const { server, object } = await prepare(t);
  await writeFile(object.path, "the changed app");
  const result = await open(server.env).put(object, PUT);
  assert.ok(result.kind === "failed");
  assert.match(result.message, /the uploaded file differs/);
  assert.equal((await server.read(object.key)).status, 404);
});

test("a file that became shorter or longer is not sent to its end", async (t) => {
  const { server, object } = await prepare(t);
  for (const content of ["short", "much longer than the windows app"]) {
    await writeFile(object.path, content);
    const result = await open(server.env).put(object, PUT);
    assert.ok(result.kind === "failed");
    assert.match(result.message, /changed while it was read/);
  }
  assert.equal((await server.read(object.key)).status, 404);
});

test("an overloaded server is asked again, and not for ever", async (t) => {
  let failures = 3;
  const { server, object } = await prepare(t, {
    intercept: (request, response) => {
      if (failures-- <= 0) return false;
      request.resume();
      response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      return true;
    },
  });
  assert.deepEqual(await open(server.env).put(object, PUT), { kind: "stored" });
  failures = 1000;
  const result = await open(server.env).put(object, PUT);
  assert.ok(result.kind === "failed");
  assert.match(result.message, /overloaded: try again later \(status 503, SlowDown\)$/);
  assert.equal(failures, 995);
});

test("a connection that breaks is made again", async (t) => {
  let breaks = 2;
  const { server, object } = await prepare(t, {
    intercept: (request) => {
      if (breaks-- <= 0) return false;
      request.socket.destroy();
      return true;
    },
  });
  assert.deepEqual(await open(server.env).put(object, PUT), { kind: "stored" });
});

test("a server that never responds is given up", async (t) => {
  const { server, object } = await prepare(t, { intercept: () => true });
  const result = readS3Settings("s3://releases", { env: server.env, isVirtualHost: false });
  assert.ok(result.kind === "settings");
  const storage = createS3Storage(result.settings, { retryDelayMs: 1, idleTimeoutMs: 100 });
  const compared = await storage.compare(object);
  assert.ok(compared.kind === "failed");
  assert.match(compared.message, /127\.0\.0\.1:\d+ does not respond/);
});

test("a file that arrived although its response was lost is stored", async (t) => {
  for (const [content, expected] of [
    ["the windows app", "stored"],
    ["the WINDOWS app", "exists"],
  ] as const) {
    let puts = 0;
    const { server, object } = await prepare(t, {
      intercept: (request, response) => {
        if (request.method !== "PUT") return false;
        if (++puts === 1) {
          void server.write(object.key, content).then(() => request.socket.destroy());
        } else {
          response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
        }
        return true;
      },
    });
    assert.deepEqual(await open(server.env).put(object, PUT), { kind: expected });
    assert.equal(puts, 2);
  }
});

test("an object that appears between comparing and storing is kept", async (t) => {
  const { server, object } = await prepare(t, {
    intercept: ({ method, headers }, response) => {
      if (method !== "PUT" || headers["if-none-match"] !== "*") return false;
      response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
      return true;
    },
  });
  assert.deepEqual(await open(server.env).put(object, PUT), { kind: "exists" });
  assert.deepEqual(await open(server.env).put(object, { isReplacing: true }), { kind: "stored" });
});

test("a server without conditional writes gets the file without the condition", async (t) => {
  const { server, object } = await prepare(t, {
    intercept: ({ headers }, response) => {
      if (headers["if-none-match"] === undefined) return false;
      response.writeHead(501).end("<Error><Code>NotImplemented</Code></Error>");
      return true;
    },
  });
  assert.deepEqual(await open(server.env).put(object, PUT), { kind: "stored" });
});

for (const [status, headers, body, expected] of [
  [301, { "x-amz-bucket-region": "eu-central-1" }, "", /set AWS_REGION=eu-central-1$/],
  [301, { "x-amz-bucket-region": "<script>" }, "", /in another region/],
  [404, {}, "<Error><Code>NoSuchBucket</Code></Error>", /there is no such bucket/],
  [403, {}, "<Error><Code>AccessDenied</Code></Error>", /s3:GetObject, s3:ListBucket/],
  [403, {}, "<Error><Code>ExpiredToken</Code></Error>", /the session has expired/],
  [403, {}, "<Error><Code>RequestTimeTooSkewed</Code></Error>", /the clock of this machine/],
  [418, {}, "<Error><Code>Secret: abc</Code></Error>", /refused the request.*\(status 418\)$/],
] as const) {
  test(`status ${status} ${JSON.stringify(headers)} ${body} is told in plain words`, async (t) => {
    const { server, object } = await prepare(t, {
      intercept: (_request, response) => {
        response.writeHead(status, headers).end(body);
        return true;
      },
    });
    const result = await open(server.env).compare(object);
    assert.ok(result.kind === "failed");
    assert.match(result.message, expected);
  });
}

test("a file far larger than the memory that is used is sent", async (t) => {
  const MiB = 1024 ** 2;
  const object = { ...(await createFile(t, "", "1.0.0/large.zip")), size: 64 * MiB };
  await truncate(object.path, object.size);
  let read = 0;
  let readBeforeTaken: number | undefined;
  let received = 0;
  const endpoint = await serveOnLoopback(t, async (request, response) => {
    // Takes nothing until no more of the file is read; only the system keeps some of it meanwhile.
    readBeforeTaken ??= await settle(() => read);
    let taken = 0;
    request.on("data", (chunk: Buffer) => void (taken += chunk.length));
    request.on("end", () => {
      received = taken;
      response.end();
    });
  });
  const storage = open({
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
    AWS_ENDPOINT_URL: endpoint,
  });
  const onProgress = (done: number) => void (read = done);
  assert.deepEqual(await storage.put(object, { ...PUT, onProgress }), { kind: "stored" });
  assert.equal(received, object.size);
  assert.ok(readBeforeTaken !== undefined && readBeforeTaken > 0);
  assert.ok(readBeforeTaken < object.size / 2, `${Math.round(readBeforeTaken / MiB)} MiB`);
});

/** The number that no longer grows. */
async function settle(measure: () => number): Promise<number> {
  for (;;) {
    const before = measure();
    await sleep(200);
    if (before > 0 && measure() === before) return before;
  }
}

test("objects below a prefix are listed, read back and removed", async (t) => {
  const { server, object } = await prepare(t);
  const storage = open(server.env, `s3://${S3_BUCKET}/of/a & b`);
  for (const key of ["one-1.zip", "one-2.zip", "two-1.zip", "one-3/deeper.zip"]) {
    assert.deepEqual(await storage.put({ ...object, key }, PUT), { kind: "stored" });
  }
  const { size, sha256 } = object;
  const listOnes = () => storage.list("one-");
  assert.deepEqual(await listOnes(), {
    kind: "listed",
    objects: [
      { key: "one-1.zip", size },
      { key: "one-2.zip", size },
    ],
  });
  assert.deepEqual(await storage.hash("one-1.zip"), { kind: "hashed", sha256 });
  assert.deepEqual(await storage.remove("one-1.zip"), { kind: "removed" });
  assert.deepEqual(await storage.remove("one-1.zip"), { kind: "removed" });
  assert.deepEqual(await listOnes(), { kind: "listed", objects: [{ key: "one-2.zip", size }] });
  assert.equal((await storage.hash("one-1.zip")).kind, "failed");
});

test("a list that comes in pages is read to its end", async (t) => {
  const pages: Readonly<Record<string, string>> = {
    "": "<Contents><Key>of/a</Key><Size>1</Size></Contents><NextContinuationToken>x&amp;+/=</NextContinuationToken>",
    "x&+/=": "<Contents><Key>of/&#98;</Key><Size>2</Size></Contents>",
  };
  const { server } = await prepare(t, {
    intercept(request, response) {
      const { searchParams } = new URL(request.url ?? "", "http://localhost");
      response.end(pages[searchParams.get("continuation-token") ?? ""]);
      return true;
    },
  });
  assert.deepEqual(await open(server.env, `s3://${S3_BUCKET}/of`).list(""), {
    kind: "listed",
    objects: [
      { key: "a", size: 1 },
      { key: "b", size: 2 },
    ],
  });
});
