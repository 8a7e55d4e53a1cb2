/** Update clients with one error each. */
import { createHash, createPublicKey, verify } from "node:crypto";
import type { UpdateTask } from "../../../conformance/index.ts";
import {
  createSigner,
  type ManifestEnvelope,
  type Signer,
} from "../../../conformance/release/driver/signer.ts";
import type { UpdateTaskResult } from "../../../conformance/release/driver/task.ts";
import type { Fetch } from "../../../src/client/index.ts";
import type { ManifestPayload, ReleaseArtifact } from "../../../src/contract/release/schemas.ts";
import {
  changeResponses,
  changeResult,
  changeTask,
  toClientBreaks,
  type ClientBreak,
  type RunClient,
} from "./driver-break.ts";

type Run = ClientBreak<UpdateTask>["run"];

const MANIFEST = "/api/v1/manifest";

/** The client reads another envelope than the one that was sent; null stands for an error. */
const changeEnvelope = (change: (envelope: ManifestEnvelope) => ManifestEnvelope | null): Run =>
  changeResponses(MANIFEST, async (response) => {
    const text = await response.text();
    if (!text.startsWith('{"schemaVersion"')) return new Response(text, response);
    const changed = change(JSON.parse(text) as ManifestEnvelope);
    return changed === null ? new Response(null, { status: 500 }) : Response.json(changed);
  });

/** Does the same with what was signed, and as if the keys had signed that. */
function changePayload(
  change: (payload: ManifestPayload, keyId: string, task: UpdateTask) => unknown,
  isGenuine: (envelope: ManifestEnvelope, keys: UpdateTask["keys"]) => boolean = isSigned,
): Run {
  const signers = new Map<string, Signer>();
  const signerOf = (keyId: string) => {
    const signer = signers.get(keyId) ?? createSigner(keyId);
    signers.set(keyId, signer);
    return signer;
  };
  return (task, run) => {
    const keys = Object.keys(task.keys).map((id) => [id, signerOf(id).publicKey]);
    const seal = changeEnvelope((envelope) => {
      if (!isGenuine(envelope, task.keys)) return envelope;
      const payload = JSON.parse(textOf(envelope.payload)) as ManifestPayload;
      const { payload: bytes, signature } = signerOf(envelope.keyId).seal(
        (change(payload, envelope.keyId, task) ?? payload) as object,
      );
      return { ...envelope, payload: bytes, signature };
    });
    return seal({ ...task, keys: Object.fromEntries(keys) as UpdateTask["keys"] }, run);
  };
}

const textOf = (base64: string) => Buffer.from(base64, "base64url").toString("utf8");

function isSigned(
  { keyId, payload, signature }: ManifestEnvelope,
  keys: UpdateTask["keys"],
): boolean {
  return isSignedBy(keys[keyId], Buffer.from(payload, "base64url"), signature);
}

function isSignedBy(publicKey: string | undefined, bytes: Uint8Array, signature: string): boolean {
  if (typeof publicKey !== "string") return false;
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: publicKey },
    format: "jwk",
  });
  return verify(null, bytes, key, Buffer.from(signature, "base64url"));
}

const changeUpdate = changeResult<UpdateTask, UpdateTaskResult>;

const changeArtifacts = (
  change: (artifacts: ReleaseArtifact[], task: UpdateTask) => unknown,
): Run =>
  changePayload(({ releases, ...payload }, _keyId, task) => ({
    ...payload,
    releases: releases.map((release) => ({
      ...release,
      artifacts: change(release.artifacts, task),
    })),
  }));

const eachArtifact = (change: (artifact: ReleaseArtifact) => object): Run =>
  changeArtifacts((artifacts) => artifacts.map((one) => ({ ...one, ...change(one) })));

const anHourFromNow = () => new Date(Date.now() + 3_600_000).toISOString();

export const UPDATE_CLIENT_BREAKS = toClientBreaks<UpdateTask>({
  "genuine-manifest-is-taken, later-manifest-is-taken, any-first-sequence-is-taken, newest-release-is-offered, rollout-of-everybody-reaches-everybody":
    {
      "never offers an update": changeUpdate((result) => ({ ...result, kind: "up-to-date" })),
    },
  "standby-key-is-taken": {
    "pins the active key alone": changeTask(({ keys }) => ({
      keys: { "release-a": keys["release-a"] ?? "" },
    })),
  },
  "payload-is-not-reserialised": {
    "verifies the JSON that it wrote itself": changeEnvelope((envelope) => {
      const text = JSON.stringify(JSON.parse(textOf(envelope.payload)));
      return { ...envelope, payload: Buffer.from(text).toString("base64url") };
    }),
  },
  "unknown-payload-members-are-ignored": {
    "refuses a payload with members that it does not know": changeEnvelope((one) =>
      textOf(one.payload).includes('"shelf"') ? null : one,
    ),
  },
  "archive-changes-no-check": {
    "confirms nothing while an archive is missing": changeEnvelope((one) =>
      textOf(one.payload).includes('"archive"') ? null : one,
    ),
  },
  "endless-manifest-is-refused": {
    "reads a manifest to its end": changeResponses(
      MANIFEST,
      async (response) => new Response(await response.arrayBuffer(), response),
    ),
  },
  "changed-payload-is-refused, changed-signature-is-refused, absent-signature-is-refused, signature-over-the-text-is-refused, forged-key-id-is-refused, wrong-key-id-is-refused":
    {
      "verifies no signature": changePayload(
        () => {},
        () => true,
      ),
    },
  "signature-over-the-text-is-refused": {
    "verifies a signature over the text": changePayload(
      () => {},
      ({ keyId, payload, signature }, keys) =>
        isSignedBy(keys[keyId], Buffer.from(payload), signature),
    ),
  },
  "wrong-key-id-is-refused": {
    "tries every key that it pins": changePayload(
      () => {},
      ({ payload, signature }, keys) =>
        Object.values(keys).some((key) =>
          isSignedBy(key, Buffer.from(payload, "base64url"), signature),
        ),
    ),
  },
  "unpinned-key-is-refused, inherited-key-id-is-refused": {
    "trusts the key that it is shown": (task, run) => {
      const verifyNone = changePayload(
        () => {},
        () => true,
      );
      const keys = { ...task.keys, "release-c": "", constructor: "" };
      return verifyNone({ ...task, keys }, run);
    },
  },
  "other-algorithm-is-refused": {
    "takes any algorithm": changeEnvelope((envelope) => ({ ...envelope, algorithm: "ed25519" })),
  },
  "other-envelope-version-is-refused": {
    "takes any version of the envelope": changeEnvelope((envelope) => ({
      ...envelope,
      schemaVersion: 1,
    })),
  },
  "unknown-envelope-member-is-refused": {
    "overlooks members of the envelope": changeEnvelope(
      ({ schemaVersion, keyId, algorithm, payload, signature }) => ({
        schemaVersion,
        keyId,
        algorithm,
        payload,
        signature,
      }),
    ),
  },
  "padded-base64-is-refused": {
    "reads Base64 of any kind": changeEnvelope((envelope) => {
      const bytes = Buffer.from(envelope.payload, "base64");
      return { ...envelope, payload: bytes.toString("base64url") };
    }),
  },
  "page-is-no-manifest, missing-manifest-confirms-nothing, expired-manifest-confirms-nothing, decision-without-a-manifest-confirms-nothing":
    {
      "takes an error for being up to date": changeUpdate((result) =>
        result.kind === "cannot-confirm" ? { ...result, kind: "up-to-date" } : result,
      ),
    },
  "other-product-is-refused": {
    "ignores the product": changePayload((payload, _keyId, { product }) => ({
      ...payload,
      product,
    })),
  },
  "other-payload-version-is-refused": {
    "takes any version of the payload": changePayload((payload) => ({
      ...payload,
      schemaVersion: 1,
    })),
  },
  "malformed-payload-is-refused": {
    "does without a sequence": changePayload((payload) => Object.assign({ sequence: 1 }, payload)),
  },
  "malformed-release-is-refused": {
    "does without a digest": eachArtifact((one) => Object.assign({ sha256: "0".repeat(64) }, one)),
  },
  "path-in-a-file-name-is-refused": {
    "takes any file name": eachArtifact(({ fileName }) => ({
      fileName: fileName.replace("../", ""),
    })),
  },
  "insecure-file-address-is-refused": {
    "downloads from any address": eachArtifact(({ url }) => ({
      url: url.replace("http:", "https:"),
    })),
  },
  "expired-manifest-confirms-nothing, expiry-counts-from-the-latest-issue": {
    "ignores the expiry": changePayload((payload) => ({
      ...payload,
      issuedAt: "2026-01-31T12:00:00Z",
      expiresAt: anHourFromNow(),
    })),
  },
  "too-long-a-lifetime-is-refused": {
    "takes manifests of any lifetime": changePayload((payload) => ({
      ...payload,
      expiresAt: anHourFromNow(),
    })),
  },
  "earlier-manifest-is-refused, earlier-manifest-of-the-other-key-is-refused, second-manifest-of-a-sequence-is-refused, sequence-jump-is-refused, expiry-counts-from-the-latest-issue, revoked-key-is-refused, revocation-in-a-refused-manifest-counts, keys-that-revoke-each-other-are-refused":
    {
      "remembers nothing": changeTask(() => ({ state: null })),
    },
  "earlier-manifest-of-the-other-key-is-refused": {
    "keeps the sequence of each key apart": changePayload((payload, keyId) => ({
      ...payload,
      sequence: payload.sequence + (keyId === "release-b" ? 1000 : 0),
    })),
  },
  "revoked-key-is-refused, revocation-in-a-refused-manifest-counts, keys-that-revoke-each-other-are-refused, sequence-of-a-revoked-key-ends-with-it":
    {
      "ignores revocations": changePayload(({ revokedKeys: _left, ...payload }) => payload),
    },
  "revocation-in-a-refused-manifest-counts": {
    "forgets the revocations of a manifest that it refuses": changePayload(
      ({ revokedKeys = [], ...payload }) =>
        Date.parse(payload.expiresAt) < Date.now() ? payload : { ...payload, revokedKeys },
    ),
  },
  "key-cannot-revoke-itself": {
    "lets a key revoke itself": changeEnvelope((envelope) =>
      revokedBy(envelope).includes(envelope.keyId) ? null : envelope,
    ),
  },
  "unknown-revoked-key-changes-nothing": {
    "refuses to hear of keys that it does not pin": changeEnvelope((envelope) =>
      revokedBy(envelope).includes("release-2019") ? null : envelope,
    ),
  },
  "newest-release-is-offered": {
    "offers the oldest release that is newer": changePayload((payload) => ({
      ...payload,
      releases: payload.releases.filter(({ version }) => version !== "1.10.0"),
    })),
  },
  "running-version-is-up-to-date, decision-alone-offers-nothing": {
    "offers the version that it runs": changeTask(() => ({
      current: { version: "0.1.0", buildNumber: 1 },
    })),
  },
  "channels-are-apart": {
    "knows no channels": changePayload((payload, _keyId, { channel }) => ({
      ...payload,
      releases: payload.releases.map((release) => ({ ...release, channel })),
    })),
  },
  "rollout-of-another-channel-changes-nothing": {
    "counts a rollout for the newest release of its channel": changePayload(
      ({ releases, ...payload }, _keyId, task) => ({
        ...payload,
        releases,
        rollouts: payload.rollouts?.map(({ percent }) => ({
          version: releases.find(({ channel }) => channel === task.channel)?.version,
          percent,
        })),
      }),
    ),
  },
  "downgrade-is-not-offered": {
    "goes by the build alone": changeTask(({ current }) => ({
      current: { ...current, version: "0.0.1" },
    })),
  },
  "deadline-makes-mandatory": {
    "finds no update mandatory": changeUpdate((result) => ({ ...result, mandatory: false })),
  },
  "withdrawn-version-is-told": {
    "overlooks withdrawals": changePayload((payload) => ({ ...payload, withdrawn: [] })),
  },
  "other-platforms-files-are-not-installed, file-of-its-architecture-is-chosen": {
    "takes a file of any system": changeArtifacts((artifacts, { platform, architecture }) =>
      artifacts.map((one) => ({ ...one, platform, architecture })),
    ),
  },
  "store-files-are-left-out": {
    "installs the files of stores": eachArtifact(() => ({ distribution: "direct" })),
  },
  "own-kind-of-package-is-chosen, other-kinds-of-package-are-not-installed": {
    "does not ask what it was installed as": changeTask(() => ({ package: null })),
  },
  "copy-without-a-kind-gets-the-first-file": {
    "prefers the last file": changeArtifacts((artifacts) => artifacts.toReversed()),
  },
  "rollout-of-nobody-reaches-nobody, rollout-without-a-release-before-it, share-follows-the-percent":
    {
      "offers what is rolled out at once": changePayload(
        ({ rollouts: _left, ...payload }) => payload,
      ),
    },
  "rollout-of-everybody-reaches-everybody, share-follows-the-percent": {
    "offers nothing that is rolled out": changePayload((payload) => ({
      ...payload,
      rollouts: payload.rollouts?.map((rollout) => ({ ...rollout, percent: 0 })),
    })),
  },
  "bucket-of-an-installation-stays": {
    "has a bucket for each release": changePayload((payload) => ({
      ...payload,
      rollouts: payload.rollouts?.map(({ version, percent }) => ({
        version,
        percent: version === "1.3.0" ? 100 - percent : percent,
      })),
    })),
  },
  "decision-alone-offers-nothing, decision-without-a-manifest-confirms-nothing": {
    "believes the decision alone": async (task, run) => {
      const { updateAvailable, target } = await askDecision(task);
      return updateAvailable
        ? { kind: "update-available", ...target, fileName: "", mandatory: true, accepted: null }
        : run(task);
    },
  },
  "decision-hides-no-update": {
    "reads the manifest only when the decision tells it to": async (task, run) =>
      (await askDecision(task)).updateAvailable ? run(task) : { kind: "up-to-date" },
  },
  "slow-service-is-waited-for": {
    "gives up early": (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(200) })),
  },
  "changed-file-is-refused, older-file-is-refused, cut-file-is-refused, interrupted-file-is-refused, extended-file-is-refused, empty-file-is-refused, page-is-no-file, file-with-an-error-status-is-refused":
    {
      "accepts any file": acceptAnything,
    },
});

function revokedBy({ payload }: ManifestEnvelope): readonly string[] {
  return (JSON.parse(textOf(payload)) as ManifestPayload).revokedKeys ?? [];
}

interface Decision {
  readonly updateAvailable: boolean;
  readonly target: object;
}

async function askDecision({ connectTo, platform, current }: UpdateTask): Promise<Decision> {
  const query = `version=${current.version}&build=${current.buildNumber}`;
  const response = await fetch(`${connectTo}/api/v1/update/${platform}?${query}`);
  return (await response.json()) as Decision;
}

/** Accepts what came, whatever it is. */
async function acceptAnything(task: UpdateTask, run: RunClient<UpdateTask>): Promise<object> {
  const hash = createHash("sha256");
  const listen: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (url.endsWith(MANIFEST)) return response;
    try {
      for await (const chunk of response.clone().body ?? []) hash.update(chunk);
    } catch {
      // The connection ended in the middle.
    }
    return response;
  };
  return { ...(await run(task, listen)), accepted: hash.digest("hex") };
}
