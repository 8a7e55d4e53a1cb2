import assert from "node:assert/strict";
import { test } from "node:test";
import { readEventStream, type ServerEvent } from "../../../src/client/sync/event-stream.ts";
import { createSealedWorld, firstWithWater, rotatedKey, useKey } from "./sealed-device.ts";
import { automatic, createWorld, shown, stored, syncNow, waitUntil, type World } from "./world.ts";

/** Streams that the test writes to. */
function controlChanges(world: World) {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const tokens: string[] = [];
  let status = 200;
  world.network = async (send, { path, init }) => {
    if (path === "/v1/changes") {
      tokens.push(new Headers(init.headers).get("Authorization") ?? "");
      if (status !== 200) return new Response(null, { status, headers: { "Retry-After": "1" } });
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          streams.push(controller);
          init.signal?.addEventListener("abort", () => controller.error(new Error("Aborted")));
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    }
    return send();
  };
  return {
    streams,
    tokens,
    setStatus: (next: number) => (status = next),
    send: (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text)),
  };
}

const pulls = (world: World) =>
  world.requests.filter((request) => request === "GET /v1/pull").length;

test("a change of another device is pulled when the server tells of a new head", async (t) => {
  const world = await createWorld(t);
  const live = controlChanges(world);
  const tablet = await world.device();
  const phone = await world.open({ ...automatic, live: true, pollSeconds: 3600 });
  await world.signIn(phone);
  await waitUntil(() => live.streams.length === 1, "the phone follows the changes");
  assert.match(live.tokens[0] ?? "", /^Bearer trs_at_/);
  await stored(tablet.create("note/1", { title: "Live" }));
  await syncNow(tablet);
  assert.deepEqual(shown(phone), {});
  live.send(': hello\r\n\r\nevent: head\r\ndata: {"cursor":"of the tablet"}\r\n\r\n');
  await waitUntil(() => phone.entities.get("note/1") !== undefined, "the phone has pulled");

  // The head of the phone's own push is not pulled once more.
  await stored(phone.patch("note/1", { title: "Mine" }));
  await waitUntil(() => phone.status.kind === "up-to-date", "the phone has pushed");
  const cursor = await headCursor(world);
  const before = pulls(world);
  live.send(`event: head\ndata: ${JSON.stringify({ cursor })}\n\n`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(pulls(world), before);

  // A stream that ends is opened again; a token that is refused is renewed.
  live.setStatus(401);
  live.streams.at(-1)?.close();
  await waitUntil(() => live.tokens.length >= 2, "it is asked for again");
  live.setStatus(200);
  await waitUntil(() => live.streams.length === 2, "it is open again");
  assert.notEqual(live.tokens.at(-1), live.tokens[0]);
});

/** As the service writes it. */
async function headCursor({ store }: World): Promise<string> {
  const { headOffset: offset, generation, mark } = await store.operations.page(0, 1);
  return Buffer.from(JSON.stringify({ version: 1, generation, offset, mark })).toString(
    "base64url",
  );
}

test("two devices tell each other of changes through the real service", async (t) => {
  const world = await createWorld(t);
  const options = { ...automatic, live: true, pollSeconds: 3600 };
  const [phone, tablet] = [await world.open(options), await world.open(options)];
  for (const device of [phone, tablet]) await world.signIn(device);
  const streams = () => world.requests.filter((request) => request === "GET /v1/changes").length;
  await waitUntil(() => streams() === 2, "both follow the changes");
  for (let count = 1; count <= 3; count++) {
    await stored(phone.create(`note/${count}`, { count }));
    await waitUntil(
      () => tablet.entities.get(`note/${count}`) !== undefined,
      "the tablet shows it",
    );
    await stored(tablet.patch(`note/${count}`, { seen: true }));
    const isSeen = () => phone.entities.get(`note/${count}`)?.payload["seen"] === true;
    await waitUntil(isSeen, "the phone shows it");
  }
  const quiet = world.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(world.requests.length - quiet <= 2, "nothing goes on when nothing changes");
  assert.equal(streams(), 2);
  await tablet.signOut();
  assert.equal(tablet.status.kind, "signed-out");
});

test("a device learns of a new key from the stream, and asks nothing because of its own", async (t) => {
  const world = await createSealedWorld(t);
  const [tablet, key] = await firstWithWater(world);
  const live = controlChanges(world);
  const phone = await world.openSealed({ ...automatic, live: true, pollSeconds: 3600 });
  await world.signIn(phone);
  await useKey(phone, key);
  await waitUntil(() => live.streams.length === 1, "the phone follows the changes");
  await waitUntil(() => phone.status.kind === "up-to-date", "the phone has pulled");
  const tell = (keyId: string) => live.send(`event: keys\ndata: ${JSON.stringify({ keyId })}\n\n`);
  const keyIdNow = async () => (await world.store.operations.head()).keyId ?? "";
  const before = world.requests.length;
  tell(await keyIdNow());
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(world.requests.length, before);

  await rotatedKey(tablet);
  assert.equal(phone.encryption.state.kind, "ready");
  tell(await keyIdNow());
  await waitUntil(() => phone.encryption.state.kind === "replaced", "the phone has learnt of it");
  assert.equal(phone.status.kind, "key-needed");
});

test("a server without live changes is polled", async (t) => {
  const world = await createWorld(t);
  world.network = async (send, { path }) => {
    const response = await send();
    if (path !== "/v1/capabilities") return response;
    const { sync, ...rest } = (await response.json()) as { sync: { changes?: boolean } };
    const { changes, ...old } = sync;
    assert.equal(changes, true);
    return Response.json({ ...rest, sync: old });
  };
  const tablet = await world.device();
  const phone = await world.open({ ...automatic, live: true, pollSeconds: 1 });
  await world.signIn(phone);
  await waitUntil(() => phone.status.kind === "up-to-date", "the phone has synced");
  await stored(tablet.create("note/1", {}));
  await syncNow(tablet);
  await waitUntil(() => phone.entities.get("note/1") !== undefined, "the phone has asked again");
  assert.ok(!world.requests.includes("GET /v1/changes"));
});

test("live: false polls although the server could tell", async (t) => {
  const world = await createWorld(t);
  controlChanges(world);
  const phone = await world.open({ ...automatic, live: false });
  await world.signIn(phone);
  await waitUntil(() => phone.status.kind === "up-to-date", "the phone has synced");
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(!world.requests.includes("GET /v1/changes"));
});

async function readAll(chunks: readonly string[]): Promise<ServerEvent[]> {
  async function* source() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
  }
  const events: ServerEvent[] = [];
  for await (const event of readEventStream(source(), () => {})) events.push(event);
  return events;
}

test("an event stream is read the same however it is cut into chunks", async () => {
  const text =
    ': comment\n\nevent: head\ndata: {"cursor":"é1"}\n\ndata:a\r\ndata: b\r\n\r\nevent: none\n\nid: 7\nevent: x\ndata\n\ndata: unfinished';
  const expected = [
    { event: "head", data: '{"cursor":"é1"}' },
    { event: "message", data: "a\nb" },
    { event: "x", data: "" },
  ];
  assert.deepEqual(await readAll([text]), expected);
  assert.deepEqual(await readAll([...text]), expected);
  for (let cut = 1; cut < text.length; cut++) {
    assert.deepEqual(await readAll([text.slice(0, cut), text.slice(cut)]), expected);
  }
  assert.deepEqual(await readAll([`data: ${"x".repeat(20_000)}`, "\n\n"]), []);
});

test("a head does not shorten the wait that the server asked for", async (t) => {
  const world = await createWorld(t);
  const live = controlChanges(world);
  const phone = await world.open({ ...automatic, live: true, pollSeconds: 3600 });
  await world.signIn(phone);
  await waitUntil(() => live.streams.length === 1, "the phone follows the changes");
  const follow = world.network;
  world.network = async (send, request) =>
    request.path.startsWith("/v1/pull")
      ? new Response(null, { status: 429, headers: { "Retry-After": "600" } })
      : follow(send, request);
  live.send('event: head\ndata: {"cursor":"first"}\n\n');
  await waitUntil(() => phone.status.problem?.kind === "rate-limited", "the server asks to wait");
  const before = pulls(world);
  live.send('event: head\ndata: {"cursor":"second"}\n\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(pulls(world), before);
});

test("a stream that is left does not take the refresh of a round with it", async (t) => {
  const world = await createWorld(t);
  const live = controlChanges(world);
  const phone = await world.open({ ...automatic, live: true, pollSeconds: 3600 });
  await world.signIn(phone);
  await waitUntil(() => live.streams.length === 1, "the phone follows the changes");
  await waitUntil(() => phone.status.kind === "up-to-date", "the phone has synced");
  const follow = world.network;
  const held = Promise.withResolvers<void>();
  let refreshes = 0;
  world.network = async (send, request) => {
    if (request.path !== "/v1/refresh") return follow(send, request);
    refreshes++;
    await held.promise;
    request.init.signal?.throwIfAborted();
    return send();
  };
  world.clock.now += 300_000;
  live.streams[0]?.close();
  await waitUntil(() => refreshes === 1, "the stream asks for a token");
  const round = phone.sync();
  await new Promise((resolve) => setTimeout(resolve, 20));
  // Another sign-in begins a new stream.
  await world.signIn(phone);
  held.resolve();
  const result = await round;
  assert.equal(result.kind, "synced", JSON.stringify(result));
});

test("a stream that ends after its head is opened again later each time", async (t) => {
  const world = await createWorld(t);
  const delays: number[] = [];
  world.network = async (send, { path }) =>
    path === "/v1/changes"
      ? new Response('event: head\ndata: {"cursor":"x"}\n\n', { status: 200 })
      : send();
  const phone = await world.open({
    live: true,
    pollSeconds: 86_400,
    // Only what waits for a stream; rounds and time limits are not of interest.
    setTimer: (callback, ms) => {
      const streams = world.requests.filter((request) => request === "GET /v1/changes").length;
      if (streams > delays.length && ms >= 500 && ms < 60_000) {
        delays.push(ms);
        if (delays.length < 6) setImmediate(callback);
      }
      return () => {};
    },
  });
  await world.signIn(phone);
  await syncNow(phone);
  await waitUntil(() => delays.length >= 6, "the stream has ended six times");
  for (const [index, delay] of delays.entries()) {
    assert.ok(delay >= 500 * 2 ** index && delay <= 1000 * 2 ** index, delays.join());
  }
});
