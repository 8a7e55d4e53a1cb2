import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyBudgetError } from "../../http/read-body.ts";
import type { RawRequest } from "../../http/request.ts";
import { createStrangersBodies } from "./strangers-bodies.ts";

const LIMITS = { process: 100, instance: 60, network: 20 };

async function readAll(request: RawRequest): Promise<"whole" | "given up"> {
  try {
    for await (const chunk of request.body()) assert.ok(chunk.byteLength > 0);
    return "whole";
  } catch (error) {
    assert.ok(error instanceof BodyBudgetError);
    return "given up";
  }
}

function createBodies(t: { after(work: () => void): void }) {
  const bodies = createStrangersBodies(LIMITS);
  const ended = Promise.withResolvers<void>();
  t.after(ended.resolve);
  const send = (bytes: number, isStalled: boolean, address: string, instance: string) => {
    const begun = Promise.withResolvers<void>();
    const request: RawRequest = {
      method: "POST",
      target: "/v1/refresh",
      remoteAddress: undefined,
      header: () => null,
      async *body() {
        yield new Uint8Array(bytes);
        begun.resolve();
        if (isStalled) await ended.promise;
      },
    };
    const { request: limited, release } = bodies.receive(request, address, instance);
    const read = readAll(limited);
    return { read, release, begun: begun.promise };
  };
  return {
    stall: async (bytes: number, address: string, instance = "ada") => {
      const sent = send(bytes, true, address, instance);
      await sent.begun;
      return sent;
    },
    send: (bytes: number, address: string, instance = "ada") =>
      send(bytes, false, address, instance),
  };
}

test("one network cannot take the room of others, and its oldest unfinished body makes room", async (t) => {
  const { stall, send } = createBodies(t);
  const oldest = await stall(20, "192.0.2.1");
  assert.equal(await send(20, "198.51.100.1").read, "whole");
  assert.equal(await send(20, "192.0.2.1").read, "whole");
  assert.equal(await oldest.read, "given up");
});

test("an instance that is flooded from many networks leaves room for the others", async (t) => {
  const { stall, send } = createBodies(t);
  const stalled = [];
  for (let network = 1; network <= 4; network++) stalled.push(await stall(20, `${network}.0.0.1`));
  assert.equal(await stalled[0]?.read, "given up");
  assert.equal(await send(20, "9.0.0.1", "bob").read, "whole");
});

test("a body that waits in line counts until it is released", async (t) => {
  const { send } = createBodies(t);
  const waiting = send(20, "192.0.2.1");
  assert.equal(await waiting.read, "whole");
  assert.equal(await send(1, "192.0.2.1").read, "given up");
  waiting.release();
  assert.equal(await send(20, "192.0.2.1").read, "whole");
});
