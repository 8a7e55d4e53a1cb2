import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { reservePorts, startOnReserved } from "./reserve-ports.ts";

async function occupy(t: { after(run: () => unknown): void }, host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Free ports, which another program is unlikely to take in the next moment. */
async function findPorts() {
  const { ports, release } = await reservePorts({ page: 0, sync: 0, events: 0 });
  await release();
  return ports;
}

test("the usual ports are used while they are free, and held until they are released", async () => {
  const usual = await findPorts();
  assert.equal(new Set(Object.values(usual)).size, 3);
  const reserved = await reservePorts(usual);
  assert.deepEqual(reserved.ports, usual);
  assert.deepEqual(reserved.moved, []);
  const second = await reservePorts(usual);
  assert.equal(second.moved.length, 3);
  await second.release();
  await reserved.release();
  const third = await reservePorts(usual);
  assert.deepEqual(third.ports, usual);
  await third.release();
});

test("a taken port is replaced by a free one, and named", async (t) => {
  const usual = await findPorts();
  const taken = await occupy(t, "127.0.0.1");
  const reserved = await reservePorts({ ...usual, sync: taken });
  assert.notEqual(reserved.ports.sync, taken);
  assert.deepEqual(reserved.moved, [{ usual: taken, used: reserved.ports.sync }]);
  assert.equal(reserved.ports.page, usual.page);
  await reserved.release();
});

test("a program on the other address of localhost counts as well", async (t) => {
  const usual = await findPorts();
  let taken: number;
  try {
    taken = await occupy(t, "::1");
  } catch {
    return t.skip("This machine has no IPv6 loopback");
  }
  const reserved = await reservePorts({ ...usual, page: taken });
  assert.notEqual(reserved.ports.page, taken);
  await reserved.release();
});

test("a server whose port is taken meanwhile starts over, a few times", async () => {
  const taken = Object.assign(new Error("listen"), { code: "EADDRINUSE" });
  let starts = 0;
  const start = (failures: number) => () => {
    starts++;
    return starts > failures ? Promise.resolve(starts) : Promise.reject(taken);
  };
  assert.equal(await startOnReserved(start(2)), 3);
  starts = 0;
  await assert.rejects(startOnReserved(start(5)), taken);
  assert.equal(starts, 3);
  const other = () => Promise.reject(new Error("other"));
  await assert.rejects(startOnReserved(other), /other/);
});
