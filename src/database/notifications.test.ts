import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createNotifier } from "./notifications.ts";

/** A server whose responses are given by hand. */
function createServer() {
  const sent: string[] = [];
  let response = Promise.withResolvers<void>();
  return {
    sent,
    send: async (channel: string) => {
      sent.push(channel);
      await response.promise;
    },
    respond() {
      response.resolve();
      response = Promise.withResolvers<void>();
    },
    fail: () => response.reject(new Error("the connection was lost")),
  };
}

test("the first notification is sent at once, and those meanwhile share the next", async () => {
  const server = createServer();
  const { notify } = createNotifier(server.send);
  notify("a");
  assert.deepEqual(server.sent, ["a"]);
  for (let commit = 0; commit < 100; commit++) notify("a");
  notify("b");
  assert.deepEqual(server.sent, ["a", "b"], "channels do not wait for each other");
  server.respond();
  await wait(100);
  assert.deepEqual(server.sent, ["a", "b", "a"]);
  server.respond();
  await wait(100);
  assert.deepEqual(server.sent, ["a", "b", "a"]);
  notify("a");
  assert.equal(server.sent.length, 4);
});

test("commits in a row are told of now and then", async () => {
  const sent: string[] = [];
  const { notify, close } = createNotifier(async (channel) => void sent.push(channel));
  const startedAt = performance.now();
  while (performance.now() - startedAt < 200) {
    notify("a");
    await wait(1);
  }
  await close();
  assert.ok(sent.length >= 3 && sent.length <= 11, `${sent.length} notifications`);
});

test("a notification that fails is dropped, and the next is sent", async () => {
  const server = createServer();
  const { notify } = createNotifier(server.send);
  notify("a");
  server.fail();
  await wait(100);
  notify("a");
  assert.equal(server.sent.length, 2);
});

test("closing sends what is due", async () => {
  const server = createServer();
  const { notify, close } = createNotifier(server.send);
  notify("a");
  notify("a");
  const closing = close();
  server.respond();
  await wait(10);
  assert.equal(server.sent.length, 2);
  server.respond();
  await closing;
});

test("closing does not wait for a server that is away", async () => {
  const { notify, close } = createNotifier(() => new Promise(() => {}));
  notify("a");
  const closedAt = performance.now();
  await Promise.all([close(), wait(1100)]);
  assert.ok(performance.now() - closedAt < 2000);
});
