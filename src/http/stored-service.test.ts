import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlainService } from "../../test/fixtures/plain-response.ts";
import { createStoredService, type StoredServiceNotice } from "./stored-service.ts";

const http = createPlainService(() => ({ status: 204, headers: {}, body: null }));
const TEN_MINUTES_MS = 600_000;

test("the store is pruned every ten minutes until the service is closed", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const calls: (number | "closed")[] = [];
  let clock = 1000;
  const service = createStoredService({
    http,
    store: {
      prune: async (now) => void calls.push(now),
      close: async () => void calls.push("closed"),
    },
    now: () => clock,
    onNotice: undefined,
  });
  t.mock.timers.tick(TEN_MINUTES_MS);
  clock = 2000;
  t.mock.timers.tick(TEN_MINUTES_MS);
  await service.close();
  t.mock.timers.tick(TEN_MINUTES_MS);
  assert.deepEqual(calls, [1000, 2000, "closed"]);
});

test("a prune that fails is reported, and the next one is tried", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const notices: StoredServiceNotice[] = [];
  const error = new Error("away");
  const service = createStoredService({
    http,
    store: { prune: () => Promise.reject(error), close: async () => {} },
    now: Date.now,
    onNotice: (notice) => notices.push(notice),
  });
  t.mock.timers.tick(2 * TEN_MINUTES_MS);
  await service.close();
  assert.deepEqual(notices, [
    { kind: "prune-failed", error },
    { kind: "prune-failed", error },
  ]);
});
