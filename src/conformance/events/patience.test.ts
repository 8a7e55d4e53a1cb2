import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpResponse, Origin } from "../http.ts";
import { waitForLimits } from "./patience.ts";

function answering(...answers: readonly (readonly [number, (string | undefined)?])[]) {
  let asked = 0;
  const send = async (): Promise<HttpResponse> => {
    const [status, retryAfter] = answers[asked++] ?? [500];
    const header = (name: string) => (name === "Retry-After" ? retryAfter : undefined);
    return { asked: "GET /", status, header, body: new Uint8Array() };
  };
  const origin: Origin = {
    url: "http://service.example",
    get: send,
    send,
    exchange: async () => new Uint8Array(),
    targetOf: (path) => path,
  };
  return { origin: waitForLimits(origin), count: () => asked };
}

test("a limited request is sent again when its time has come", async () => {
  const { origin, count } = answering([429, "0"], [429, "0"], [200]);
  assert.equal((await origin.get("/")).status, 200);
  assert.equal(count(), 3);
});

test("a limit that does not say how long, or says too long, is the answer", async () => {
  for (const retryAfter of [undefined, "soon", "301"]) {
    const { origin, count } = answering([429, retryAfter], [200]);
    assert.equal((await origin.send("POST", "/")).status, 429);
    assert.equal(count(), 1);
  }
});

test("a service that always limits is not asked for ever", async () => {
  const { origin } = answering(...Array.from({ length: 20 }, () => [429, "0"] as const));
  assert.equal((await origin.get("/")).status, 429);
});
