import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyRooms, type BodyPlace } from "./receive-bodies.ts";

function reserve(rooms: ReturnType<typeof createBodyRooms>, key: string): BodyPlace {
  return rooms.reserve(key) ?? assert.fail("There is no place");
}

test("a device has so many bodies at once, and others have their own", async () => {
  const rooms = createBodyRooms({ atOnce: 1, maxWaiting: 1 });
  const [first, second] = [reserve(rooms, "phone"), reserve(rooms, "phone")];
  assert.equal(rooms.reserve("phone"), null);
  await first.enter(undefined);
  const order: string[] = [];
  const entering = second.enter(undefined).then(() => order.push("second"));
  await reserve(rooms, "tablet").enter(undefined);
  order.push("tablet");
  first.leave();
  first.leave();
  await entering;
  assert.deepEqual(order, ["tablet", "second"]);
  reserve(rooms, "phone");
  assert.equal(rooms.reserve("phone"), null);
});

test("a client that goes while it waits makes its place free", async () => {
  const rooms = createBodyRooms({ atOnce: 1, maxWaiting: 1 });
  const [first, second] = [reserve(rooms, "phone"), reserve(rooms, "phone")];
  await first.enter(undefined);
  const gone = new AbortController();
  const entering = second.enter(gone.signal);
  gone.abort();
  await assert.rejects(entering, /gone/);
  const third = reserve(rooms, "phone");
  await assert.rejects(third.enter(AbortSignal.abort()), /gone/);
  reserve(rooms, "phone");
});
