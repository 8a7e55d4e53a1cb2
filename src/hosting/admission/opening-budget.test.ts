import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpeningBudget, OPENING_LIMITS } from "./opening-budget.ts";

test("a network has few openings, and its refused requests take none from its neighbours", () => {
  const limits = { ...OPENING_LIMITS, process: { requests: 1000, windowSeconds: 1 } };
  const take = createOpeningBudget(limits, () => 0);
  const { requests } = OPENING_LIMITS.network;
  for (let opening = 0; opening < requests; opening++) assert.equal(take("192.0.2.1"), null);
  for (let refused = 0; refused < 100 * requests; refused++) {
    assert.equal(take("192.0.2.1"), "network");
  }
  assert.equal(take("192.0.2.2"), null);
});

test("a client with many addresses has the openings of its wider networks", () => {
  const limits = { ...OPENING_LIMITS, process: { requests: 10_000, windowSeconds: 1 } };
  const take = createOpeningBudget(limits, () => 0);
  let openings = 0;
  for (let host = 0; host < 0x1000; host++) {
    if (take(`2001:db8:1:${host.toString(16)}::1`) === null) openings++;
  }
  assert.equal(openings, 4 * OPENING_LIMITS.network.requests);
  assert.equal(take("2001:db8:2::1"), null);
});

test("all networks together have the openings of the process, in each of its windows", () => {
  let now = 0;
  const take = createOpeningBudget(OPENING_LIMITS, () => now);
  const askAll = () => Array.from({ length: 100 }, (_, index) => take(`${index + 1}.0.0.1`));
  const { requests, windowSeconds } = OPENING_LIMITS.process;
  for (let window = 0; window < 3; window++) {
    assert.equal(askAll().filter((refused) => refused === null).length, requests);
    assert.deepEqual(new Set(askAll()), new Set(["process"]));
    now += windowSeconds * 1000;
  }
});

test("no network can use up the openings of the process, and the last ones are for those that had none", () => {
  const take = createOpeningBudget(OPENING_LIMITS, () => 0);
  const { requests } = OPENING_LIMITS.process;
  let openings = 0;
  const flood = (network: number) => {
    for (let host = 0; host < 256; host++) {
      if (take(`${network}.0.${host}.1`) === null) openings++;
    }
  };
  flood(10);
  assert.equal(openings, requests / 2);
  for (let network = 11; network < 14; network++) flood(network);
  assert.ok(openings <= requests * 0.75 + 2, `${openings} openings`);
  assert.equal(take("192.0.2.1"), null);
});
