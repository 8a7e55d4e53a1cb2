/** Manifests as a client receives them, one after another: genuine ones and every tampering. */
import { createPrivateKey, hash } from "node:crypto";
import type { ManifestPayload, Rollout } from "../../src/contract/release/schemas.ts";
import {
  MAX_MANIFEST_LIFETIME_DAYS,
  MAX_SEQUENCE_STEP,
} from "../../src/contract/release/values.ts";
import { DAY_MS } from "../../src/contract/durations.ts";
import { NO_MANIFEST_MEMORY, verifyNextManifest } from "../../src/rules/release/manifest-memory.ts";
import type { ManifestError } from "../../src/rules/release/verify-manifest.ts";
import { createSigner, type ManifestEnvelope } from "../../conformance/release/driver/signer.ts";
import {
  createPayload,
  createPublishedRelease,
  EXPIRES_AT,
  ISSUED_AT,
} from "../../test/fixtures/signed-envelope.ts";
import type { VectorSource } from "./vector-file.ts";

interface ManifestInput {
  /** The pinned keys by key id. */
  readonly keys: Readonly<Record<string, string>>;
  readonly product: string;
  readonly received: readonly ReceivedManifest[];
}

interface ReceivedManifest {
  readonly envelope: string;
  /** The clock of the device, in milliseconds since 1970. */
  readonly now: number;
}

export function createManifestVectors(): VectorSource<ManifestInput> {
  return {
    name: "release-manifest",
    description:
      "The verification of signed manifests: docs/protocol/release.md, The signed manifest. A client without a memory receives the envelopes of `input.received` in their order, each as the text of the response, while its clock is at `now` (milliseconds since 1970). `expected` has a result for each: verified with its sequence, or the name of the check that failed.",
    inputs: MANIFEST_INPUTS,
    expect: verifyAll,
    codes: ["verified", ...Object.keys(CODES)],
  };
}

/** Every error but that of a runtime without Ed25519. */
const CODES = {
  "malformed-envelope": true,
  "wrong-algorithm": true,
  "unknown-key": true,
  "bad-signature": true,
  "malformed-payload": true,
  "wrong-product": true,
  "revoked-key": true,
  "conflicting-revocations": true,
  rollback: true,
  "sequence-jump": true,
  "conflicting-manifest": true,
  "lifetime-too-long": true,
  expired: true,
} satisfies Record<Exclude<ManifestError["kind"], "unsupported-runtime">, true>;

async function verifyAll({ keys, product, received }: ManifestInput): Promise<object[]> {
  const results: object[] = [];
  let memory = NO_MANIFEST_MEMORY;
  for (const { envelope, now } of received) {
    const result = await verifyNextManifest(envelope, { keys, product, memory, now });
    ({ memory } = result);
    results.push(
      result.kind === "verified"
        ? { kind: "verified", sequence: result.payload.sequence }
        : { kind: result.error.kind },
    );
  }
  return results;
}

/** The private key follows from the id, so that the vectors stay the same; nothing else may use it. */
function createVectorSigner(keyId: string) {
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = Buffer.concat([prefix, hash("sha256", `Trellis vectors: ${keyId}`, "buffer")]);
  return createSigner(keyId, createPrivateKey({ key, format: "der", type: "pkcs8" }));
}

const [first, second, third, stranger] = [
  createVectorSigner("release-2026-01"),
  createVectorSigner("release-2026-02"),
  createVectorSigner("release-2026-03"),
  createVectorSigner("release-2020-01"),
];
const KEYS = Object.fromEntries(
  [first, second, third].map(({ keyId, publicKey }) => [keyId, publicKey]),
);
const NOON = ISSUED_AT + DAY_MS / 2;

function receive(
  ...received: readonly (ReceivedManifest | ManifestEnvelope | string)[]
): ManifestInput {
  const toReceived = (one: ReceivedManifest | ManifestEnvelope | string): ReceivedManifest => {
    if (typeof one === "object" && "envelope" in one) return one;
    return { envelope: typeof one === "string" ? one : JSON.stringify(one), now: NOON };
  };
  return { keys: KEYS, product: "habits", received: received.map(toReceived) };
}

function at(now: number, envelope: ManifestEnvelope): ReceivedManifest {
  return { envelope: JSON.stringify(envelope), now };
}

function payload(changes: Readonly<Record<string, unknown>> = {}): ManifestPayload {
  return { ...createPayload(), ...changes };
}

const genuine = first.seal(payload());
const days = (count: number) => new Date(ISSUED_AT + count * DAY_MS).toISOString();

const { signature, ...unsigned } = genuine;
const swapped = Buffer.from(JSON.stringify(payload({ sequence: 9 }))).toString("base64url");

const TAMPERED_ENVELOPES: Record<string, ManifestInput> = {
  "no JSON": receive("<html>"),
  "no object": receive("[]"),
  "an unknown member": receive(JSON.stringify({ ...genuine, hint: 1 })),
  "a missing member": receive(JSON.stringify(unsigned)),
  "another schema version": receive({ ...genuine, schemaVersion: 2 }),
  "another algorithm": receive({ ...genuine, algorithm: "none" }),
  "a malformed key id": receive({ ...genuine, keyId: "../release" }),
  "a padded payload": receive({ ...genuine, payload: `${genuine.payload}=` }),
  "a signature in another alphabet": receive({
    ...genuine,
    signature: `+/${signature.slice(2)}`,
  }),
  "an empty signature": receive({ ...genuine, signature: "" }),
  "a key that is not pinned": receive(stranger.seal(payload())),
  "the id of another pinned key": receive({ ...genuine, keyId: second.keyId }),
  "another payload": receive({ ...genuine, payload: swapped }),
  "a changed signature": receive({ ...genuine, signature: `A${signature.slice(1)}` }),
  "a shorter signature": receive({ ...genuine, signature: signature.slice(0, 84) }),
  "a stranger's signature under a pinned id": receive({
    ...stranger.seal(payload()),
    keyId: first.keyId,
  }),
};

const [release] = [createPublishedRelease()];
const [artifact] = release.artifacts;
const broken: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "another schema version of the payload": { schemaVersion: 2 },
  "a sequence of zero": { sequence: 0 },
  "a sequence with a fraction": { sequence: 7.5 },
  "a time without an offset": { issuedAt: "2026-01-01T00:00:00" },
  "a time that no calendar has": { expiresAt: "2026-02-30T00:00:00Z" },
  "no previous": { previous: undefined },
  "no releases": { releases: undefined },
  "no withdrawn": { withdrawn: undefined },
  "a revoked key that is no text": { revokedKeys: [7] },
  "a percent over 100": { rollouts: [{ version: "1.2.0", percent: 101 } satisfies Rollout] },
  "a digest of files that is none": { files: [{ version: "1.2.0", sha256: "cd" }] },
  "a digest of the archive that is none": { archive: { sha256: "ef", size: 1, releases: 1 } },
  "an archive without a length": { archive: { sha256: "ef".repeat(32), releases: 1 } },
  "an archive of less than no releases": {
    archive: { sha256: "ef".repeat(32), size: 1, releases: -1 },
  },
  "a version of two numbers": { releases: [{ ...release, version: "1.2" }] },
  "a draft": { releases: [{ ...release, status: "draft" }] },
  "another channel": { releases: [{ ...release, channel: "nightly" }] },
  "an artifact without https": {
    releases: [{ ...release, artifacts: [{ ...artifact, url: "http://downloads.example.com/a" }] }],
  },
  "a file name with a path": {
    releases: [{ ...release, artifacts: [{ ...artifact, fileName: "../habits" }] }],
  },
  "a digest in capitals": {
    releases: [{ ...release, artifacts: [{ ...artifact, sha256: "AB".repeat(32) }] }],
  },
  "an empty artifact": { releases: [{ ...release, artifacts: [{ ...artifact, size: 0 }] }] },
  "a withdrawal without a reason": { withdrawn: [{ version: "1.1.0", buildNumber: 11 }] },
};

const UNREADABLE_PAYLOADS: Record<string, ManifestInput> = {
  "signed bytes that are no JSON": receive(first.seal(Buffer.from("{"))),
  "signed bytes that are no UTF-8": receive(first.seal(Buffer.from([0x22, 0xff, 0x22]))),
  ...Object.fromEntries(
    Object.entries(broken).map(([name, changes]) => [name, receive(first.seal(payload(changes)))]),
  ),
  "another product": receive(first.seal(payload({ product: "tasks" }))),
};

const revoke = (sequence: number, ...keys: readonly { readonly keyId: string }[]) =>
  payload({ sequence, revokedKeys: keys.map(({ keyId }) => keyId) });

const REVOCATIONS: Record<string, ManifestInput> = {
  "a key that another pinned key revoked": receive(
    second.seal(revoke(7, first)),
    first.seal(payload({ sequence: 8 })),
  ),
  "a key does not revoke itself": receive(
    first.seal(revoke(7, first)),
    first.seal(payload({ sequence: 8 })),
  ),
  "a key that is not pinned is no matter": receive(
    first.seal(revoke(7, stranger)),
    first.seal(payload({ sequence: 8 })),
  ),
  "a revoked key revokes nothing": receive(
    second.seal(revoke(7, first)),
    first.seal(revoke(8, third)),
    third.seal(payload({ sequence: 9 })),
  ),
  "keys that revoke each other": receive(
    first.seal(revoke(7, second)),
    second.seal(revoke(8, first)),
    first.seal(payload({ sequence: 9 })),
    third.seal(payload({ sequence: 9 })),
  ),
  "a third key decides between them": receive(
    first.seal(revoke(7, second)),
    second.seal(revoke(8, first)),
    third.seal(revoke(9, second)),
    first.seal(payload({ sequence: 10 })),
    second.seal(payload({ sequence: 10 })),
  ),
  "a revocation counts in a manifest that is too old": receive(
    genuine,
    second.seal(revoke(6, third)),
    third.seal(payload({ sequence: 8 })),
  ),
  "a revocation of the newest manifest's key lowers the sequence": receive(
    genuine,
    second.seal(revoke(6, first)),
  ),
  "a revocation counts in an expired manifest": receive(
    at(EXPIRES_AT, second.seal(revoke(7, first))),
    at(NOON, first.seal(payload({ sequence: 8 }))),
  ),
  "what a revoked key raised does not count": receive(
    first.seal(payload({ sequence: 900_000 })),
    second.seal(revoke(8, first)),
    second.seal(payload({ sequence: 9 })),
  ),
};

const later = payload({ sequence: 8, issuedAt: days(20), expiresAt: days(50) });
const longest = { issuedAt: days(0), expiresAt: days(MAX_MANIFEST_LIFETIME_DAYS) };
const longer = new Date(ISSUED_AT + MAX_MANIFEST_LIFETIME_DAYS * DAY_MS + 1).toISOString();

const SEQUENCES_AND_TIMES: Record<string, ManifestInput> = {
  "a lower sequence": receive(genuine, first.seal(payload({ sequence: 6 }))),
  "a lower sequence of another key": receive(genuine, second.seal(payload({ sequence: 6 }))),
  "any first sequence": receive(first.seal(payload({ sequence: Number.MAX_SAFE_INTEGER }))),
  "the greatest step": receive(genuine, first.seal(payload({ sequence: 7 + MAX_SEQUENCE_STEP }))),
  "a greater step": receive(genuine, first.seal(payload({ sequence: 8 + MAX_SEQUENCE_STEP }))),
  "another manifest of the same sequence": receive(genuine, first.seal(payload({ releases: [] }))),
  "the longest lifetime": receive(first.seal(payload(longest))),
  "a longer lifetime": receive(first.seal(payload({ ...longest, expiresAt: longer }))),
  "a moment before it expires": receive(at(EXPIRES_AT - 1, genuine)),
  "the moment it expires": receive(at(EXPIRES_AT, genuine)),
  "a time with another offset": receive(
    at(EXPIRES_AT - 1, first.seal(payload({ expiresAt: "2026-01-31T02:00:00+02:00" }))),
  ),
  "a clock that was set back": receive(
    at(ISSUED_AT + 20 * DAY_MS, first.seal(later)),
    at(ISSUED_AT, first.seal(payload({ sequence: 9, expiresAt: days(20) }))),
  ),
};

const MANIFEST_INPUTS: Record<string, ManifestInput> = {
  "a genuine manifest": receive(genuine),
  "the same manifest again": receive(genuine, genuine),
  "the next manifest": receive(genuine, first.seal(payload({ sequence: 8 }))),
  "a manifest of the other pinned key": receive(second.seal(payload())),
  "the digests of files": receive(
    first.seal(payload({ files: [{ version: "1.2.0", sha256: "cd".repeat(32) }] })),
  ),
  "members of a later version": receive(first.seal(payload({ channels: [], hint: 1 }))),
  "white space in the signed bytes": receive(
    first.seal(Buffer.from(` ${JSON.stringify(payload())}\n`)),
  ),
  ...TAMPERED_ENVELOPES,
  ...UNREADABLE_PAYLOADS,
  ...REVOCATIONS,
  ...SEQUENCES_AND_TIMES,
};
