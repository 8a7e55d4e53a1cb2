/** Releases that are not out for everybody. */
import type { ManifestPayload } from "../../../../src/contract/release/schemas.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import { fail } from "../../../expect.ts";
import {
  ACTIVE,
  expectOffered,
  expectKind,
  install,
  type InstalledCopy,
  type Update,
} from "../installation.ts";
import { createPayload, createRelease, CURRENT_RELEASE, NEXT_RELEASE } from "../releases.ts";

const ROLLOUTS = "Trellis decision, release service: rollouts";

const STAGED = createRelease({ version: "1.2.0", buildNumber: 12 });
const RELEASES = [STAGED, NEXT_RELEASE, CURRENT_RELEASE];
/** With this number of new installations a right client fails a case by chance once in a hundred million. */
const INSTALLATIONS = 4;
/** A client with a new bucket for each check passes once in some hundred runs. */
const REPEATS = 4;

export const ROLLOUT_CASES = driverCases({
  "rollout-of-nobody-reaches-nobody": {
    title: "While a release is rolled out to 0 percent, the one before it is offered",
    section: ROLLOUTS,
    async run(client) {
      expectOffered(await check(install(client), 0), NEXT_RELEASE);
    },
  },
  "rollout-of-everybody-reaches-everybody": {
    title: "A release that is rolled out to 100 percent is offered",
    section: ROLLOUTS,
    async run(client) {
      expectOffered(await check(install(client), 100), STAGED);
    },
  },
  "rollout-without-a-release-before-it": {
    title: "Without a release that is out for everybody, nothing is offered outside of the share",
    section: ROLLOUTS,
    async run(client) {
      const update = await check(install(client), 0, { releases: [STAGED] });
      expectKind(update, "up-to-date");
    },
  },
  "rollout-of-another-channel-changes-nothing": {
    title: "A rollout in the other channel changes nothing",
    section: ROLLOUTS,
    async run(client) {
      const releases = [{ ...STAGED, channel: "beta" as const }, NEXT_RELEASE, CURRENT_RELEASE];
      expectOffered(await check(install(client), 0, { releases }), NEXT_RELEASE);
    },
  },
  "share-follows-the-percent": {
    title: "Of new installations few get a release at 1 percent, and most at 99",
    section: ROLLOUTS,
    async run(client) {
      for (const [percent, isRare] of [
        [1, true],
        [99, false],
      ] as const) {
        // The first installation that gets what most get settles it.
        let isAsMost = false;
        for (let count = 0; count < INSTALLATIONS && !isAsMost; count++) {
          const update = await check(install(client), percent);
          isAsMost = isStagedOffered(update) !== isRare;
        }
        if (isAsMost) continue;
        const received = `${isRare ? "the release" : "the one before"} in ${INSTALLATIONS} of ${INSTALLATIONS}`;
        fail(`checks of new installations at ${percent} percent`, `${percent} of 100`, received);
      }
    },
  },
  "bucket-of-an-installation-stays": {
    title: "An installation keeps its bucket, from release to release",
    section: `${ROLLOUTS}; buckets`,
    async run(client) {
      const installation = install(client);
      const bucket = await findBucket(installation);
      const later = createRelease({ version: "1.3.0", buildNumber: 13 });
      const releases = [later, ...RELEASES];
      for (let sequence = 100; sequence < 100 + 2 * REPEATS; sequence++) {
        const percent = sequence % 2 === 0 ? bucket : bucket - 1;
        const rollouts = [{ version: later.version, percent }];
        const update = await check(installation, percent, { releases, rollouts, sequence });
        const isOffered = update.result.version === later.version;
        if (isOffered === percent >= bucket) continue;
        const before = `as with the release before, which it first got at ${bucket} percent`;
        fail(update.asked, before, isOffered ? "the release" : "the one before");
      }
    },
  },
});

/** The least percent at which the installation is offered a release, with rising sequences. */
async function findBucket(installation: InstalledCopy): Promise<number> {
  let [low, high] = [1, 100];
  let sequence = 10;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const update = await check(installation, middle, { sequence: sequence++ });
    if (isStagedOffered(update)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function check(
  installation: InstalledCopy,
  percent: number,
  changes: Partial<ManifestPayload> = {},
): Promise<Update> {
  const rollouts = [{ version: STAGED.version, percent }];
  const manifest = ACTIVE.seal(createPayload({ releases: RELEASES, rollouts, ...changes }));
  return installation.update(`a check while a release is out for ${percent} percent`, { manifest });
}

/** A client that offers neither the release nor the one before is wrong at any percent. */
function isStagedOffered(update: Update): boolean {
  if (update.result.version === STAGED.version) return true;
  expectOffered(update, NEXT_RELEASE);
  return false;
}
