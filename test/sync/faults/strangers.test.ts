import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection } from "../../fixtures/raw-connection.ts";
import { postJson } from "../sync-client.ts";
import { createDevice } from "./device.ts";
import { createInstance } from "./sync-instance.ts";

const REFRESH = { grantType: "refresh_token", refreshToken: "none" };

test("unfinished bodies of strangers take a bounded part of the memory, and devices still push", async (t) => {
  const { serve } = await createInstance(t);
  const { port, ask } = await serve();
  const phone = await createDevice(ask, "phone");
  const length = 262_144;
  const head = `POST /v1/refresh HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const part = " ".repeat(length - 1);
  const strangers = [];
  for (let index = 0; index < 70; index++) {
    const connection = await openConnection(port);
    connection.send(head);
    connection.send(part);
    strangers.push(connection);
  }
  while (strangers.every((connection) => connection.received() === "")) await sleep(20);
  const refused = strangers.filter((connection) => connection.received() !== "");
  for (const connection of refused) {
    const response = connection.received();
    assert.match(response, /^HTTP\/1\.1 503 /);
    assert.match(response, /\r\nRetry-After: 1\r\n/i);
    assert.match(response, /"error":"storage_unavailable"/);
  }
  // More than the budget is open, so a further body gets the same response; a device's does not.
  const over = await postJson(ask, "/v1/refresh", {
    ...REFRESH,
    refreshToken: "x".repeat(200_000),
  });
  assert.equal(over.status, 503);
  const authorization = { Authorization: `Bearer ${phone.tokens.accessToken}` };
  const push = await postJson(ask, "/v1/push", { operations: [] }, authorization);
  assert.equal(push.status, 400);
  for (const { socket } of strangers) socket.destroy();
  for (let status = 503; status === 503; await sleep(20)) {
    ({ status } = await postJson(ask, "/v1/refresh", { ...REFRESH, refreshToken: "trs_rt_x" }));
    if (status !== 503) assert.equal(status, 401);
  }
});
