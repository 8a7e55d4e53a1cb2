import assert from "node:assert/strict";
import { test } from "node:test";
import { StorageUnavailableError } from "../database/database.ts";
import { handleFetch } from "../http/fetch.ts";
import { createOperatorService, type ReadinessChecks } from "./operator-service.ts";

const ready = async () => {};
const render = async () => "trellis_processes 1\n";
const ask = (checks: ReadinessChecks, path = "/readyz", init: RequestInit = {}) =>
  handleFetch(
    createOperatorService(checks, render),
    new Request(`http://127.0.0.1:4890${path}`, init),
  );

test("readiness is 200 while every store can be written", async () => {
  const response = await ask({ release: ready, sync: ready });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  assert.deepEqual(await response.json(), {
    status: "ready",
    services: { release: { status: "ready" }, sync: { status: "ready" } },
  });
});

test("a store that cannot be written is a 503 with the reason, without what an error quotes", async () => {
  const response = await ask({
    release: ready,
    sync: () => Promise.reject(new StorageUnavailableError("the disk is full (SQLite 13)")),
    events: () => Promise.reject(new Error("hunter2")),
  });
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), {
    status: "unavailable",
    services: {
      release: { status: "ready" },
      sync: {
        status: "unavailable",
        reason: "The store is not available: the disk is full (SQLite 13)",
      },
      events: { status: "unavailable", reason: "An unexpected error" },
    },
  });
});

test("a store that hangs is not ready after three seconds, and is asked once at a time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  const sync = () => {
    asked++;
    return new Promise<void>(() => {});
  };
  const service = createOperatorService({ sync }, render);
  const request = () => handleFetch(service, new Request("http://127.0.0.1:4890/readyz"));
  const responses = [request(), request()];
  await Promise.resolve();
  t.mock.timers.tick(3000);
  for (const response of await Promise.all(responses)) {
    assert.equal(response.status, 503);
    assert.match(await response.text(), /a write takes longer than 3 seconds/);
  }
  assert.equal(asked, 1);
});

test("metrics are the text that Prometheus reads, once at a time", async () => {
  let rendered = 0;
  const service = createOperatorService({}, async () => `trellis_processes ${++rendered}\n`);
  const request = () => handleFetch(service, new Request("http://127.0.0.1:4890/metrics"));
  const [first, second] = await Promise.all([request(), request()]);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.equal(first.headers.get("Cache-Control"), "no-store");
  assert.deepEqual(
    [await first.text(), await second.text()],
    ["trellis_processes 1\n", "trellis_processes 1\n"],
  );
});

test("metrics that cannot be read are a 503", async () => {
  const service = createOperatorService({}, () => Promise.reject(new Error("hunter2")));
  const response = await handleFetch(service, new Request("http://127.0.0.1:4890/metrics"));
  assert.deepEqual(
    [response.status, await response.json()],
    [503, { error: "metrics_unavailable" }],
  );
});

test("a host name that is not known is refused, so that no site can point its own name here", async () => {
  const service = createOperatorService({ sync: ready }, render, ["Monitor.internal"]);
  const statusAt = async (host: string | null, target = "/metrics") => {
    const header = (name: string) => (name === "host" ? host : null);
    const request = { method: "GET", target, header, remoteAddress: "127.0.0.1" };
    const body = () => assert.fail("The body is not read");
    return (await service.respond({ ...request, body })).status;
  };
  const known = ["localhost:4890", "127.0.0.1", "[::1]:4890", "10.0.0.7:4890", "[fd00::7]"];
  for (const host of [...known, "a.localhost", "monitor.internal:4890", null]) {
    assert.equal(await statusAt(host), 200, String(host));
  }
  const foreign = ["rebound.example:4890", "monitor.internal.example", "127.0.0.1.example", ""];
  for (const host of [...foreign, "localhost.example", "localhost:4890:1"]) {
    assert.equal(await statusAt(host), 421, host);
    assert.equal(await statusAt(host, "/readyz"), 421, host);
  }
});

test("it serves GET and HEAD of /readyz and /metrics, and nothing else", async () => {
  const head = await ask({ sync: ready }, "/readyz", { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  const post = await ask({ sync: ready }, "/readyz", { method: "POST" });
  assert.deepEqual([post.status, post.headers.get("Allow")], [405, "GET, HEAD"]);
  for (const path of ["/", "/readyz/", "/v1/health", "/metrics/"]) {
    assert.equal((await ask({ sync: ready }, path)).status, 404, path);
  }
});
