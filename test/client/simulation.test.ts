/** Seeded runs of devices, a network and a server that all fail; `npm run simulate` runs more of them. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { BROKEN_CLIENTS } from "./simulation/broken-clients.ts";
import type { BROKEN_SERVERS } from "./simulation/broken-servers.ts";
import { startSimulations } from "./simulation/simulate-in-thread.ts";

const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);
const SEALED_SEEDS = SEEDS.slice(0, 6);
const LAST_STEPS = 40;

const { simulate, close } = startSimulations();
after(close);

test("whatever fails, no change is lost and all devices agree (24 seeds)", async () => {
  for (const seed of SEEDS) {
    const { errors, steps } = await simulate(seed);
    const report = [...steps.slice(-LAST_STEPS), ...errors].join("\n");
    assert.equal(errors.length, 0, `${report}\nnpm run simulate -- --seed ${seed} --verbose`);
  }
});

test("nor when the devices encrypt, and the server cannot read (6 seeds)", async () => {
  for (const seed of SEALED_SEEDS) {
    const { errors, steps } = await simulate(seed, { isSealed: true });
    const report = [...steps.slice(-LAST_STEPS), ...errors].join("\n");
    assert.equal(
      errors.length,
      0,
      `${report}\nnpm run simulate -- --sealed --seed ${seed} --verbose`,
    );
  }
});

test("a seed gives the same run again", async () => {
  for (const [seed, isSealed] of [
    [1, false],
    [2, true],
  ] as const) {
    const [first, second] = [
      await simulate(seed, { isSealed }),
      await simulate(seed, { isSealed }),
    ];
    assert.deepEqual(first.steps, second.steps);
  }
});

/** A defect that needs a kill at one certain moment is rare, and each change of the client moves it to other seeds. */
const SEARCHED_SEEDS = Array.from({ length: 300 }, (_, index) => index + 1);
/** Seeds that are known to notice: the search begins there, only to save time. */
const LIKELY_SEEDS: Readonly<Record<string, number>> = {
  "forgets an operation of the queue when it was killed": 4,
  "sets its clock back when it was killed": 2,
  "stores the cursor before the page": 35,
  "pushes only its own operations after a recovery": 4,
  "takes a failed push for a receipt, and believes it": 4,
  "moves its cursor over what another device pushed between two receipts": 7,
  "shows what has come of a push": 39,
  "sets the wrong operation aside": 41,
  "counts for all devices in one field": 35,
  "queues the last edit of a transaction after the others": 65,
  "forgets every third change of a list": 7,
  "shows the own value of a field although an older one was written later": 9,
  "reads older fields without a look at when they were written": 16,
  "reads the field of a create from what it writes for older apps": 16,
  "seals under a key before it is stored": 8,
  "seals an edit when it is made": 8,
  "stays on its list of keys for ever": 42,
  "forgets the keys of the list that it leaves": 47,
  "stores pushes without the proof of the key": 4,
  "takes noise as the record of a key": 4,
  "counts the record of a key in the quota": 24,
};

for (const name of Object.keys(BROKEN_CLIENTS)) {
  test(`the simulation notices a client that ${name}`, async () => {
    for (const seed of searchedSeeds(name)) {
      const { errors } = await simulate(seed, { broken: name });
      if (errors.length > 0) return;
    }
    assert.fail(`None of ${SEARCHED_SEEDS.length} seeds noticed`);
  });
}

/** What a simulation sees of a broken sealing: on the wire, or because a device stays behind. */
const SEEN_DEFECTS = {
  "uses a nonce again": /has a nonce that was used before/,
  "names a field alike in all entities": /have the field name/,
  "seals under a key before it is stored": /under a key that is not stored|do not become quiet/,
  "seals an edit when it is made": /under a key that its device knew to be replaced/,
  "stays on its list of keys for ever": /do not become quiet/,
  "forgets the keys of the list that it leaves": /do not become quiet/,
} as const;

for (const [name, seen] of Object.entries(SEEN_DEFECTS)) {
  test(`the simulation notices a client that encrypts and ${name}`, () => expectSeen(name, seen));
}

/** What a thief, or a rotation at a full server, shows of a broken server. */
const SEEN_SERVER_DEFECTS = {
  "stores pushes without the proof of the key": /Garbage without a key got 200/,
  "takes noise as the record of a key": /A thief's key got 201/,
  "counts the record of a key in the quota": /A rotation met the quota/,
} as const satisfies Record<keyof typeof BROKEN_SERVERS, RegExp>;

for (const [name, seen] of Object.entries(SEEN_SERVER_DEFECTS)) {
  test(`the simulation notices a server that ${name}`, () => expectSeen(name, seen));
}

async function expectSeen(name: string, seen: RegExp): Promise<void> {
  for (const seed of searchedSeeds(name)) {
    const { errors } = await simulate(seed, { broken: name, isSealed: true });
    if (errors.some((error) => seen.test(error))) return;
  }
  assert.fail(`None of ${SEARCHED_SEEDS.length} seeds noticed`);
}

function searchedSeeds(name: string): readonly number[] {
  const start = (LIKELY_SEEDS[name] ?? 1) - 1;
  return [...SEARCHED_SEEDS.slice(start), ...SEARCHED_SEEDS.slice(0, start)];
}
