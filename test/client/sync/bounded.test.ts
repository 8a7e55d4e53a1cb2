import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, offline, shown, stored, syncNow, type Network } from "./world.ts";

/** Records the pushes and refuses those above a size, as a proxy does. */
function limitBodies(
  bodies: { operations: number; bytes: number }[],
  maxBytes = Infinity,
): Network {
  return async (send, { path, init }) => {
    if (path !== "/v1/push") return send();
    const body = String(init.body);
    const bytes = Buffer.byteLength(body);
    const { operations } = JSON.parse(body) as { operations: unknown[] };
    bodies.push({ operations: operations.length, bytes });
    // A proxy has no envelope.
    return bytes > maxBytes ? new Response("<h1>413</h1>", { status: 413 }) : send();
  };
}

test("batches keep the server's limits of count and bytes", async (t) => {
  const limits = { maxPushOperations: 30, maxPullOperations: 7, maxBodyBytes: 20_000 };
  const world = await createWorld(t, { limits });
  const phone = await world.device();
  for (let index = 0; index < 70; index++) await stored(phone.create(`note/${index}`, { index }));
  for (let index = 0; index < 10; index++) {
    await stored(phone.create(`long/${index}`, { text: "é".repeat(4000) }));
  }
  const bodies: { operations: number; bytes: number }[] = [];
  world.network = limitBodies(bodies);
  const result = await syncNow(phone);
  assert.equal(result.pushed, 80);
  assert.deepEqual(
    bodies.slice(0, 3).map(({ operations }) => operations),
    [30, 30, 12],
  );
  assert.ok(bodies.every(({ bytes }) => bytes <= 20_000));
  assert.equal(bodies.length, 7);
  assert.deepEqual(shown(await world.device()), shown(phone));
});

test("a batch that a proxy finds too large is halved, and what never fits holds nothing up", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  for (let index = 0; index < 40; index++) {
    await stored(phone.create(`note/${index}`, { text: "x".repeat(500) }));
  }
  await stored(phone.create("long/1", { text: "x".repeat(12_000) }));
  await stored(phone.create("note/last", {}));
  const bodies: { operations: number; bytes: number }[] = [];
  world.network = limitBodies(bodies, 10_000);
  const { pushed, quarantined } = await syncNow(phone);
  assert.deepEqual([pushed, quarantined, phone.status.pending], [41, 1, 0]);
  assert.equal(phone.quarantine.list()[0]?.reason, "payload_too_large");
  assert.ok(bodies.length < 15, `${bodies.length} pushes`);
});

test("a page that is longer than a device reads is asked for again in halves", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  for (let index = 0; index < 9; index++) await stored(phone.create(`note/${index}`, { index }));
  await syncNow(phone);
  const limits: string[] = [];
  world.network = async (send, { path }) => {
    const [, limit] = /^\/v1\/pull\?limit=(\d+)/.exec(path) ?? [];
    if (limit === undefined) return send();
    limits.push(limit);
    return Number(limit) > 125 ? new Response(" ".repeat(35 * 1024 * 1024)) : send();
  };
  const tablet = await world.device();
  assert.deepEqual(shown(tablet), shown(phone));
  assert.deepEqual(limits, ["500", "250", "125"]);
});

test("an operation that the server itself finds too large is set aside", async (t) => {
  const world = await createWorld(t, { limits: { maxBodyBytes: 10_000 } });
  const phone = await world.device();
  await stored(phone.create("long/1", { text: "x".repeat(12_000) }));
  await stored(phone.create("note/1", {}));
  const result = await syncNow(phone);
  assert.deepEqual([result.pushed, result.quarantined], [1, 1]);
  const [{ reason, message } = { reason: "none", message: "" }] = phone.quarantine.list();
  assert.equal(reason, "payload_too_large");
  assert.match(message, /too large .* make it smaller, or discard it/);
});

test("one request is in flight at a time, whatever asks for a round", async (t) => {
  const world = await createWorld(t, { limits: { maxPullOperations: 2 } });
  const phone = await world.device();
  let inFlight = 0;
  let most = 0;
  world.network = async (send) => {
    most = Math.max(most, ++inFlight);
    const response = await send();
    inFlight--;
    return response;
  };
  world.clock.now += 300_000;
  const edits = Array.from({ length: 10 }, (_, index) => phone.create(`note/${index}`, { index }));
  const first = phone.sync();
  while (inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
  // The first round is in progress, so this is another one.
  await Promise.all([...edits, first, phone.sync(), phone.sync()]);
  await syncNow(phone);
  assert.equal(most, 1);
});

test("after failures the client waits longer each time, and as long as the server asks", async (t) => {
  const world = await createWorld(t);
  const delays: number[] = [];
  let next: (() => void) | null = null;
  const phone = await world.open({
    setTimer: (callback, ms) => {
      // Time limits of requests are longer.
      if (ms === 60_000) return () => {};
      delays.push(ms);
      next = callback;
      return () => {};
    },
    randomBytes: (length) => new Uint8Array(length).fill(0x80),
  });
  const runTimer = async () => {
    next?.();
    await phone.sync();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await world.signIn(phone);
  await syncNow(phone);
  world.network = offline;
  delays.length = 0;
  for (let count = 0; count < 12; count++) {
    await phone.sync();
    assert.equal(phone.status.kind, "offline");
  }
  const seconds = delays.map((ms) => Math.round(ms / 10) / 100);
  assert.deepEqual(seconds.slice(0, 4), [0.75, 1.5, 3, 6.01]);
  assert.ok(Math.max(...seconds) <= 300);
  // A person who edits does not wait for minutes, and not every letter is a request.
  delays.length = 0;
  for (const text of ["a", "ab", "abc"]) await stored(phone.create("note/1", { text }));
  assert.deepEqual(delays, [2000]);
  world.network = async () =>
    Response.json(
      { error: "storage_unavailable", message: "", requestId: "r" },
      { status: 503, headers: { "Retry-After": "900" } },
    );
  delays.length = 0;
  const refused = await phone.sync();
  assert.equal(refused.kind === "not-synced" && refused.error.kind, "server-error");
  assert.equal(phone.status.kind, "waiting");
  assert.deepEqual(delays, [900_000]);
  // An edit does not shorten the wait.
  await stored(phone.create("note/1", {}));
  assert.deepEqual(delays, [900_000]);
  world.network = (send) => send();
  await runTimer();
  assert.equal(phone.status.kind, "up-to-date");
});

test("a response that is not that of a sync server blocks, and says so", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const pages: [Network, string][] = [
    [async () => new Response("<h1>Welcome to our Wi-Fi</h1>"), "not-a-sync-server"],
    [async () => new Response("moved", { status: 302 }), "not-a-sync-server"],
    [async () => Response.json({ operations: [{}], cursor: "c" }), "unreadable-page"],
    [async () => Response.json({ operations: "none", cursor: "c" }), "not-a-sync-server"],
    [async () => Response.json({ error: "cors_denied" }, { status: 403 }), "not-a-sync-server"],
    [
      async () =>
        Response.json({ error: "cors_denied", message: "", requestId: "r" }, { status: 403 }),
      "request-refused",
    ],
  ];
  for (const [network, kind] of pages) {
    world.network = network;
    const result = await phone.sync();
    assert.equal(result.kind === "not-synced" && result.error.kind, kind);
    assert.equal(phone.status.kind, "blocked");
    assert.equal(phone.status.problem?.kind, kind);
    assert.ok((phone.status.problem?.message ?? "").length > 20);
  }
});

test("what a slow connection does not carry in time is asked for and sent in smaller parts", async (t) => {
  const world = await createWorld(t);
  const tablet = await world.device();
  /** The network decides which request reaches its time limit. */
  const limits = new Set<() => void>();
  const phone = await world.device({
    setTimer: (callback, ms) => {
      if (ms === 60_000) limits.add(callback);
      return () => void limits.delete(callback);
    },
  });
  for (let index = 0; index < 40; index++) {
    await stored(tablet.create(`tablet/${index}`, { text: "x".repeat(1000) }));
    await stored(phone.create(`phone/${index}`, { text: "x".repeat(1000) }));
  }
  await syncNow(tablet);
  const never = (signal: AbortSignal | null | undefined) =>
    new Promise<Response>((_, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("Aborted")));
      for (const expire of limits) expire();
    });
  world.network = async (send, { init }) => {
    if (String(init.body ?? "").length > 15_000) return never(init.signal);
    const response = await send();
    const text = await response.text();
    return text.length > 15_000 ? never(init.signal) : new Response(text, response);
  };
  let rounds = 0;
  for (let kind = ""; kind !== "synced"; rounds++) {
    assert.ok(rounds < 20, "it never gets through");
    ({ kind } = await phone.sync());
  }
  assert.ok(rounds > 3);
  assert.equal(phone.entities.list().length, 80);
  assert.equal(phone.status.pending, 0);
});
