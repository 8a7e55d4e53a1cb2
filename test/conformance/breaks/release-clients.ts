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
  type ClientBreak,
  type RunClient,
} from "./driver-break.ts";

type UpdateBreak = ClientBreak<UpdateTask>;
type Run = UpdateBreak["run"];

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

export const UPDATE_CLIENT_BREAKS: readonly UpdateBreak[] = [
  {
    name: "never offers an update",
    caughtBy: [
      "genuine-manifest-is-taken",
      "later-manifest-is-taken",
      "any-first-sequence-is-taken",
      "newest-release-is-offered",
      "rollout-of-everybody-reaches-everybody",
    ],
    run: changeUpdate((result) => ({ ...result, kind: "up-to-date" })),
  },
  {
    name: "pins the active key alone",
    caughtBy: ["standby-key-is-taken"],
    run: changeTask(({ keys }) => ({ keys: { "release-a": keys["release-a"] ?? "" } })),
  },
  {
    name: "verifies the JSON that it wrote itself",
    caughtBy: ["payload-is-not-reserialised"],
    run: changeEnvelope((envelope) => {
      const text = JSON.stringify(JSON.parse(textOf(envelope.payload)));
      return { ...envelope, payload: Buffer.from(text).toString("base64url") };
    }),
  },
  {
    name: "refuses a payload with members that it does not know",
    caughtBy: ["unknown-payload-members-are-ignored"],
    run: changeEnvelope((one) => (textOf(one.payload).includes('"shelf"') ? null : one)),
  },
  {
    name: "confirms nothing while an archive is missing",
    caughtBy: ["archive-changes-no-check"],
    run: changeEnvelope((one) => (textOf(one.payload).includes('"archive"') ? null : one)),
  },
  {
    name: "reads a manifest to its end",
    caughtBy: ["endless-manifest-is-refused"],
    run: changeResponses(
      MANIFEST,
      async (response) => new Response(await response.arrayBuffer(), response),
    ),
  },
  {
    name: "verifies no signature",
    caughtBy: [
      "changed-payload-is-refused",
      "changed-signature-is-refused",
      "absent-signature-is-refused",
      "signature-over-the-text-is-refused",
      "forged-key-id-is-refused",
      "wrong-key-id-is-refused",
    ],
    run: changePayload(
      () => {},
      () => true,
    ),
  },
  {
    name: "verifies a signature over the text",
    caughtBy: ["signature-over-the-text-is-refused"],
    run: changePayload(
      () => {},
      ({ keyId, payload, signature }, keys) =>
        isSignedBy(keys[keyId], Buffer.from(payload), signature),
    ),
  },
  {
    name: "tries every key that it pins",
    caughtBy: ["wrong-key-id-is-refused"],
    run: changePayload(
      () => {},
      ({ payload, signature }, keys) =>
        Object.values(keys).some((key) =>
          isSignedBy(key, Buffer.from(payload, "base64url"), signature),
        ),
    ),
  },
  {
    name: "trusts the key that it is shown",
    caughtBy: ["unpinned-key-is-refused", "inherited-key-id-is-refused"],
    run: (task, run) => {
      const verifyNone = changePayload(
        () => {},
        () => true,
      );
      const keys = { ...task.keys, "release-c": "", constructor: "" };
      return verifyNone({ ...task, keys }, run);
    },
  },
  {
    name: "takes any algorithm",
    caughtBy: ["other-algorithm-is-refused"],
    run: changeEnvelope((envelope) => ({ ...envelope, algorithm: "ed25519" })),
  },
  {
    name: "takes any version of the envelope",
    caughtBy: ["other-envelope-version-is-refused"],
    run: changeEnvelope((envelope) => ({ ...envelope, schemaVersion: 1 })),
  },
  {
    name: "overlooks members of the envelope",
    caughtBy: ["unknown-envelope-member-is-refused"],
    run: changeEnvelope(({ schemaVersion, keyId, algorithm, payload, signature }) => ({
      schemaVersion,
      keyId,
      algorithm,
      payload,
      signature,
    })),
  },
  {
    name: "reads Base64 of any kind",
    caughtBy: ["padded-base64-is-refused"],
    run: changeEnvelope((envelope) => {
      const bytes = Buffer.from(envelope.payload, "base64");
      return { ...envelope, payload: bytes.toString("base64url") };
    }),
  },
  {
    name: "takes an error for being up to date",
    caughtBy: [
      "page-is-no-manifest",
      "missing-manifest-confirms-nothing",
      "expired-manifest-confirms-nothing",
      "decision-without-a-manifest-confirms-nothing",
    ],
    run: changeUpdate((result) =>
      result.kind === "cannot-confirm" ? { ...result, kind: "up-to-date" } : result,
    ),
  },
  {
    name: "ignores the product",
    caughtBy: ["other-product-is-refused"],
    run: changePayload((payload, _keyId, { product }) => ({ ...payload, product })),
  },
  {
    name: "takes any version of the payload",
    caughtBy: ["other-payload-version-is-refused"],
    run: changePayload((payload) => ({ ...payload, schemaVersion: 1 })),
  },
  {
    name: "does without a sequence",
    caughtBy: ["malformed-payload-is-refused"],
    run: changePayload((payload) => Object.assign({ sequence: 1 }, payload)),
  },
  {
    name: "does without a digest",
    caughtBy: ["malformed-release-is-refused"],
    run: eachArtifact((one) => Object.assign({ sha256: "0".repeat(64) }, one)),
  },
  {
    name: "takes any file name",
    caughtBy: ["path-in-a-file-name-is-refused"],
    run: eachArtifact(({ fileName }) => ({ fileName: fileName.replace("../", "") })),
  },
  {
    name: "downloads from any address",
    caughtBy: ["insecure-file-address-is-refused"],
    run: eachArtifact(({ url }) => ({ url: url.replace("http:", "https:") })),
  },
  {
    name: "ignores the expiry",
    caughtBy: ["expired-manifest-confirms-nothing", "expiry-counts-from-the-latest-issue"],
    run: changePayload((payload) => ({
      ...payload,
      issuedAt: "2026-01-31T12:00:00Z",
      expiresAt: anHourFromNow(),
    })),
  },
  {
    name: "takes manifests of any lifetime",
    caughtBy: ["too-long-a-lifetime-is-refused"],
    run: changePayload((payload) => ({ ...payload, expiresAt: anHourFromNow() })),
  },
  {
    name: "remembers nothing",
    caughtBy: [
      "earlier-manifest-is-refused",
      "earlier-manifest-of-the-other-key-is-refused",
      "second-manifest-of-a-sequence-is-refused",
      "sequence-jump-is-refused",
      "expiry-counts-from-the-latest-issue",
      "revoked-key-is-refused",
      "revocation-in-a-refused-manifest-counts",
      "keys-that-revoke-each-other-are-refused",
    ],
    run: changeTask(() => ({ state: null })),
  },
  {
    name: "keeps the sequence of each key apart",
    caughtBy: ["earlier-manifest-of-the-other-key-is-refused"],
    run: changePayload((payload, keyId) => ({
      ...payload,
      sequence: payload.sequence + (keyId === "release-b" ? 1000 : 0),
    })),
  },
  {
    name: "ignores revocations",
    caughtBy: [
      "revoked-key-is-refused",
      "revocation-in-a-refused-manifest-counts",
      "keys-that-revoke-each-other-are-refused",
      "sequence-of-a-revoked-key-ends-with-it",
    ],
    run: changePayload(({ revokedKeys: _left, ...payload }) => payload),
  },
  {
    name: "forgets the revocations of a manifest that it refuses",
    caughtBy: ["revocation-in-a-refused-manifest-counts"],
    run: changePayload(({ revokedKeys = [], ...payload }) =>
      Date.parse(payload.expiresAt) < Date.now() ? payload : { ...payload, revokedKeys },
    ),
  },
  {
    name: "lets a key revoke itself",
    caughtBy: ["key-cannot-revoke-itself"],
    run: changeEnvelope((envelope) =>
      revokedBy(envelope).includes(envelope.keyId) ? null : envelope,
    ),
  },
  {
    name: "refuses to hear of keys that it does not pin",
    caughtBy: ["unknown-revoked-key-changes-nothing"],
    run: changeEnvelope((envelope) =>
      revokedBy(envelope).includes("release-2019") ? null : envelope,
    ),
  },
  {
    name: "offers the oldest release that is newer",
    caughtBy: ["newest-release-is-offered"],
    run: changePayload((payload) => ({
      ...payload,
      releases: payload.releases.filter(({ version }) => version !== "1.10.0"),
    })),
  },
  {
    name: "offers the version that it runs",
    caughtBy: ["running-version-is-up-to-date", "decision-alone-offers-nothing"],
    run: changeTask(() => ({ current: { version: "0.1.0", buildNumber: 1 } })),
  },
  {
    name: "knows no channels",
    caughtBy: ["channels-are-apart"],
    run: changePayload((payload, _keyId, { channel }) => ({
      ...payload,
      releases: payload.releases.map((release) => ({ ...release, channel })),
    })),
  },
  {
    name: "counts a rollout for the newest release of its channel",
    caughtBy: ["rollout-of-another-channel-changes-nothing"],
    run: changePayload(({ releases, ...payload }, _keyId, task) => ({
      ...payload,
      releases,
      rollouts: payload.rollouts?.map(({ percent }) => ({
        version: releases.find(({ channel }) => channel === task.channel)?.version,
        percent,
      })),
    })),
  },
  {
    name: "goes by the build alone",
    caughtBy: ["downgrade-is-not-offered"],
    run: changeTask(({ current }) => ({ current: { ...current, version: "0.0.1" } })),
  },
  {
    name: "finds no update mandatory",
    caughtBy: ["deadline-makes-mandatory"],
    run: changeUpdate((result) => ({ ...result, mandatory: false })),
  },
  {
    name: "overlooks withdrawals",
    caughtBy: ["withdrawn-version-is-told"],
    run: changePayload((payload) => ({ ...payload, withdrawn: [] })),
  },
  {
    name: "takes a file of any system",
    caughtBy: ["other-platforms-files-are-not-installed", "file-of-its-architecture-is-chosen"],
    run: changeArtifacts((artifacts, { platform, architecture }) =>
      artifacts.map((one) => ({ ...one, platform, architecture })),
    ),
  },
  {
    name: "installs the files of stores",
    caughtBy: ["store-files-are-left-out"],
    run: eachArtifact(() => ({ distribution: "direct" })),
  },
  {
    name: "does not ask what it was installed as",
    caughtBy: ["own-kind-of-package-is-chosen", "other-kinds-of-package-are-not-installed"],
    run: changeTask(() => ({ package: null })),
  },
  {
    name: "prefers the last file",
    caughtBy: ["copy-without-a-kind-gets-the-first-file"],
    run: changeArtifacts((artifacts) => artifacts.toReversed()),
  },
  {
    name: "offers what is rolled out at once",
    caughtBy: [
      "rollout-of-nobody-reaches-nobody",
      "rollout-without-a-release-before-it",
      "share-follows-the-percent",
    ],
    run: changePayload(({ rollouts: _left, ...payload }) => payload),
  },
  {
    name: "offers nothing that is rolled out",
    caughtBy: ["rollout-of-everybody-reaches-everybody", "share-follows-the-percent"],
    run: changePayload((payload) => ({
      ...payload,
      rollouts: payload.rollouts?.map((rollout) => ({ ...rollout, percent: 0 })),
    })),
  },
  {
    name: "has a bucket for each release",
    caughtBy: ["bucket-of-an-installation-stays"],
    run: changePayload((payload) => ({
      ...payload,
      rollouts: payload.rollouts?.map(({ version, percent }) => ({
        version,
        percent: version === "1.3.0" ? 100 - percent : percent,
      })),
    })),
  },
  {
    name: "believes the decision alone",
    caughtBy: ["decision-alone-offers-nothing", "decision-without-a-manifest-confirms-nothing"],
    run: async (task, run) => {
      const { updateAvailable, target } = await askDecision(task);
      return updateAvailable
        ? { kind: "update-available", ...target, fileName: "", mandatory: true, accepted: null }
        : run(task);
    },
  },
  {
    name: "reads the manifest only when the decision tells it to",
    caughtBy: ["decision-hides-no-update"],
    run: async (task, run) =>
      (await askDecision(task)).updateAvailable ? run(task) : { kind: "up-to-date" },
  },
  {
    name: "gives up early",
    caughtBy: ["slow-service-is-waited-for"],
    run: (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(200) })),
  },
  {
    name: "accepts any file",
    caughtBy: [
      "changed-file-is-refused",
      "older-file-is-refused",
      "cut-file-is-refused",
      "interrupted-file-is-refused",
      "extended-file-is-refused",
      "empty-file-is-refused",
      "page-is-no-file",
      "file-with-an-error-status-is-refused",
    ],
    run: acceptAnything,
  },
];

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
