/** What a client remembers of the manifests before: rollback, freezing, revoked keys. */
import { DAY_MS } from "../../../../src/contract/durations.ts";
import type { ManifestPayload } from "../../../../src/contract/release/schemas.ts";
import { MAX_SEQUENCE_STEP } from "../../../../src/contract/release/values.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import {
  ACTIVE,
  expectOffered,
  expectNothingConfirmed,
  install,
  STANDBY,
} from "../installation.ts";
import { createPayload, EXPIRED, NEXT_RELEASE, inMs } from "../releases.ts";
import type { Signer } from "../signer.ts";

const SEQUENCE =
  "Trellis decision, release service: a client keeps the highest sequence it verified";
const REVOCATION = "Trellis decision, release service: revokedKeys";

export const MEMORY_CASES = driverCases({
  "later-manifest-is-taken": {
    title: "An installation takes manifests whose sequence rises, and the same one again",
    section: SEQUENCE,
    async run(client) {
      const [first, second] = [sealed(7), sealed(8)];
      await receive(client, [
        ["the first manifest", first, "taken"],
        ["the same manifest again", first, "taken"],
        ["the next manifest", second, "taken"],
      ]);
    },
  },
  "earlier-manifest-is-refused": {
    title:
      "An installation refuses a manifest that is older than one it verified, also the second time",
    section: SEQUENCE,
    run: (client) =>
      receive(client, [
        ["a manifest of sequence 8", sealed(8), "taken"],
        ["a genuine manifest of sequence 7 after one of 8", sealed(7), "refused"],
        ["a genuine manifest of sequence 7 once more", sealed(7), "refused"],
        ["a manifest of sequence 9", sealed(9), "taken"],
      ]),
  },
  "earlier-manifest-of-the-other-key-is-refused": {
    title: "The sequences of both pinned keys are one order",
    section: SEQUENCE,
    run: (client) =>
      receive(client, [
        ["a manifest of sequence 8", sealed(8), "taken"],
        ["a manifest of sequence 7 by the standby key", sealed(7, STANDBY), "refused"],
      ]),
  },
  "second-manifest-of-a-sequence-is-refused": {
    title: "An installation refuses another manifest of a sequence that it verified",
    section: "Trellis decision, release service: sequence strictly increases with each signing",
    run: (client) =>
      receive(client, [
        ["a manifest of sequence 8", sealed(8), "taken"],
        [
          "another manifest of sequence 8",
          sealed(8, ACTIVE, { releases: [NEXT_RELEASE] }),
          "refused",
        ],
      ]),
  },
  "sequence-jump-is-refused": {
    title: "An installation refuses a sequence that is more than a million beyond the last one",
    section: "Trellis decision, release service: sequence increases by at most 1,000,000",
    run: (client) =>
      receive(client, [
        ["a manifest of sequence 8", sealed(8), "taken"],
        ["a manifest a million and one later", sealed(9 + MAX_SEQUENCE_STEP), "refused"],
        ["a manifest a million later", sealed(8 + MAX_SEQUENCE_STEP), "taken"],
      ]),
  },
  "any-first-sequence-is-taken": {
    title: "An installation that has verified no manifest takes any sequence",
    section: SEQUENCE,
    run: (client) => receive(client, [["a first manifest", sealed(2 ** 40), "taken"]]),
  },
  "expiry-counts-from-the-latest-issue": {
    title:
      "A manifest that had expired when the latest one was issued confirms nothing, whatever the clock says",
    section: "Trellis decision, release service: an expired manifest confirms nothing",
    run: (client) =>
      receive(client, [
        [
          "a manifest that is issued ahead of the device's clock",
          sealed(8, ACTIVE, { issuedAt: inMs(5 * DAY_MS), expiresAt: inMs(30 * DAY_MS) }),
          "taken",
        ],
        [
          "a later manifest that expires before that time",
          sealed(9, ACTIVE, { expiresAt: inMs(2 * DAY_MS) }),
          "refused",
        ],
      ]),
  },
  "revoked-key-is-refused": {
    title: "After the standby key revoked the active one, nothing by the active key is taken",
    section: REVOCATION,
    run: (client) =>
      receive(client, [
        ["a manifest by the active key", sealed(7), "taken"],
        ["a manifest by the standby key that revokes it", revoking(8), "taken"],
        ["a manifest by the revoked key", sealed(9), "refused"],
        ["a manifest by the standby key without the revocation", sealed(9, STANDBY), "taken"],
        ["a manifest by the revoked key once more", sealed(10), "refused"],
      ]),
  },
  "revocation-in-a-refused-manifest-counts": {
    title: "A revocation counts although its manifest has expired",
    section: REVOCATION,
    run: (client) =>
      receive(client, [
        [
          "an expired manifest by the standby key that revokes the active one",
          sealed(7, STANDBY, { revokedKeys: [ACTIVE.keyId], ...EXPIRED }),
          "refused",
        ],
        ["a manifest by the revoked key", sealed(8), "refused"],
        ["a manifest by the standby key", sealed(9, STANDBY), "taken"],
      ]),
  },
  "key-cannot-revoke-itself": {
    title: "A key that names itself among the revoked ones stays trusted",
    section: REVOCATION,
    run: (client) =>
      receive(client, [
        [
          "a manifest that revokes its own key",
          sealed(7, ACTIVE, { revokedKeys: [ACTIVE.keyId] }),
          "taken",
        ],
        ["the next manifest by that key", sealed(8), "taken"],
      ]),
  },
  "keys-that-revoke-each-other-are-refused": {
    title: "Of two keys that revoke each other nothing is taken any more",
    section: REVOCATION,
    run: (client) =>
      receive(client, [
        [
          "a manifest by the active key that revokes the standby one",
          sealed(7, ACTIVE, { revokedKeys: [STANDBY.keyId] }),
          "taken",
        ],
        ["a manifest by the standby key that revokes the active one", revoking(8), "refused"],
        ["a manifest by the active key", sealed(9), "refused"],
      ]),
  },
  "sequence-of-a-revoked-key-ends-with-it": {
    title: "The sequence that a stolen key raised ends with the key",
    section: REVOCATION,
    run: (client) =>
      receive(client, [
        ["a manifest of a high sequence by the active key", sealed(900_000), "taken"],
        ["a manifest of sequence 8 by the standby key that revokes it", revoking(8), "taken"],
      ]),
  },
  "unknown-revoked-key-changes-nothing": {
    title: "A revocation of a key that the app does not pin changes nothing",
    section: REVOCATION,
    run: (client) =>
      receive(client, [
        [
          "a manifest that revokes a key of long ago",
          sealed(7, ACTIVE, { revokedKeys: ["release-2019"] }),
          "taken",
        ],
      ]),
  },
});

function sealed(sequence: number, signer: Signer = ACTIVE, changes: Partial<ManifestPayload> = {}) {
  return signer.seal(createPayload({ sequence, ...changes }));
}

/** The standby key revokes the active one. */
function revoking(sequence: number) {
  return sealed(sequence, STANDBY, { revokedKeys: [ACTIVE.keyId] });
}

type Received = readonly [
  what: string,
  manifest: ReturnType<typeof sealed>,
  expected: "taken" | "refused",
];

/** One installation receives the manifests one after another. */
async function receive(client: ClientUnderTest, manifests: readonly Received[]): Promise<void> {
  const installation = install(client);
  for (const [what, manifest, expected] of manifests) {
    const update = await installation.update(`a check of ${what}`, { manifest });
    if (expected === "taken") expectOffered(update, NEXT_RELEASE);
    else expectNothingConfirmed(update);
  }
}
