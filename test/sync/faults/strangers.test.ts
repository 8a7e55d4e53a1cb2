import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_STRANGERS_BODY_BYTES } from "../../../src/contract/sync/values.ts";
import { openConnection } from "../../fixtures/raw-connection.ts";
import { postJson } from "../sync-client.ts";
import { createDevice } from "./device.ts";
import { createInstance } from "./sync-instance.ts";

const REFRESH = { grantType: "refresh_token", refreshToken: "none" };

test("unfinished bodies of strangers take a bounded part of the memory, and devices still push", async (t) => {
  const { serve } = await createInstance(t);
  const { port, ask } = await serve();
  const phone = await createDevice(ask, "phone");
  const head = (length: number) =>
    `POST /v1/refresh HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const send = async (length: number) => {
    const connection = await openConnection(port);
    connection.send(head(length) + " ".repeat(length - 1));
    return connection;
  };
  const large = await send(MAX_STRANGERS_BODY_BYTES + 1);
  t.after(() => large.socket.destroy());
  while (large.received() === "") await sleep(20);
  assert.match(large.received(), /^HTTP\/1\.1 413 /);
  for (let index = 0; index < 70; index++) {
    const { socket } = await send(MAX_STRANGERS_BODY_BYTES);
    t.after(() => socket.destroy());
  }
  // They take a part of the budget: others get their responses, signed in or not.
  assert.equal((await postJson(ask, "/v1/refresh", REFRESH)).status, 401);
  const authorization = { Authorization: `Bearer ${phone.tokens.accessToken}` };
  const push = await postJson(ask, "/v1/push", { operations: [] }, authorization);
  assert.equal(push.status, 400);
});
