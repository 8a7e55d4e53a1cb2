/** Seeded runs of devices, a network and a server that all fail; `npm run simulate` runs more of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BROKEN_CLIENTS } from "./simulation/broken-clients.ts";
import { simulate } from "./simulation/simulate.ts";

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);
const LAST_STEPS = 40;

test("whatever fails, no change is lost and all devices agree (60 seeds)", async () => {
  for (const seed of SEEDS) {
    const { errors, steps } = await simulate(seed);
    const report = [...steps.slice(-LAST_STEPS), ...errors].join("\n");
    assert.equal(errors.length, 0, `${report}\nnpm run simulate -- --seed ${seed} --verbose`);
  }
});

test("a seed gives the same run again", async () => {
  for (const seed of SEEDS.slice(0, 3)) {
    const [first, second] = [await simulate(seed), await simulate(seed)];
    assert.deepEqual(first.steps, second.steps);
  }
});

for (const [name, breakClient] of Object.entries(BROKEN_CLIENTS)) {
  test(`the simulation notices a client that ${name}`, async () => {
    for (const seed of SEEDS) {
      const { errors } = await simulate(seed, { breakClient });
      if (errors.length > 0) return;
    }
    assert.fail(`No seed of ${SEEDS.length} noticed`);
  });
}
