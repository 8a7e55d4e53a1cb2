/** Envelopes and payloads that a client must take, and those that it must not. */
import { DAY_MS } from "../../../../src/contract/durations.ts";
import { MAX_MANIFEST_LIFETIME_DAYS } from "../../../../src/contract/release/values.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import { createEndlessReply } from "../../../drivers/endless-reply.ts";
import { jsonReply, type Reply } from "../../../drivers/loopback-service.ts";
import {
  ACTIVE,
  expectOffered,
  expectNothingConfirmed,
  install,
  STANDBY,
  STRANGER,
} from "../installation.ts";
import { createPayload, createRelease, EXPIRED, inMs, NEXT_RELEASE } from "../releases.ts";
import type { ManifestEnvelope } from "../signer.ts";

const RULES = "release contract, Integrity rules for clients";
const MANIFEST = "Trellis decision, release service: decoded manifest payload";

export const SIGNED_MANIFEST_CASES = driverCases({
  "genuine-manifest-is-taken": {
    title: "An update that a pinned key signed is offered, downloaded and accepted",
    section: `${RULES} 1 and 3`,
    async run(client) {
      const update = await install(client).update(CHECK, {
        manifest: ACTIVE.seal(createPayload()),
      });
      expectOffered(update, NEXT_RELEASE);
    },
  },
  "standby-key-is-taken": {
    title: "What the standby key signed counts as much as what the active one signed",
    section: "Trellis decision, release service: clients pin both keys from day one",
    async run(client) {
      const manifest = STANDBY.seal(createPayload());
      const asked = "a check of a manifest by the standby key";
      expectOffered(await install(client).update(asked, { manifest }), NEXT_RELEASE);
    },
  },
  "payload-is-not-reserialised": {
    title: "The signature is over the payload's bytes, however its JSON is written",
    section: `${RULES} 2`,
    async run(client) {
      const { schemaVersion, ...rest } = createPayload();
      const text = JSON.stringify({ ...rest, größe: 1e3, schemaVersion }, null, 2);
      const manifest = ACTIVE.seal(Buffer.from(text.replaceAll("habits", "\\u0068abits")));
      const asked = "a check of a manifest with spaces, escapes and another order of members";
      expectOffered(await install(client).update(asked, { manifest }), NEXT_RELEASE);
    },
  },
  "unknown-payload-members-are-ignored": {
    title: "Members of the payload that the client does not know change nothing",
    section: MANIFEST,
    async run(client) {
      const release = { ...NEXT_RELEASE, sequel: { of: "1.0.0" } };
      const payload = {
        ...createPayload(),
        releases: [release],
        shelf: { releases: 9 },
        x: null,
      };
      const asked = "a check of a manifest with members that no client knows";
      expectOffered(
        await install(client).update(asked, { manifest: ACTIVE.seal(payload) }),
        NEXT_RELEASE,
      );
    },
  },
  "archive-changes-no-check": {
    title:
      "A check decides by the manifest alone, also when the archive that it names is not there",
    section: "Trellis decision, release service: decoded manifest payload, archive",
    async run(client) {
      const archive = { sha256: "0".repeat(64), size: 1_000_000, releases: 1200 };
      const asked = "a check of a manifest that names an archive";
      expectOffered(
        await install(client).update(asked, { manifest: ACTIVE.seal(createPayload({ archive })) }),
        NEXT_RELEASE,
      );
    },
  },
  "endless-manifest-is-refused": {
    title: "A client stops reading a manifest that is longer than one may be",
    section: "Trellis decision, release service: a client reads at most 8 MiB of an envelope",
    async run(client) {
      const { reply, expectStopped } = createEndlessReply('{"schemaVersion":1,"payload":"');
      const asked = "a check of a manifest that does not end";
      const update = await install(client).update(asked, { manifest: reply });
      expectStopped(asked);
      expectNothingConfirmed(update);
    },
  },
  ...refusals({
    "changed-payload-is-refused": {
      title: "A payload that is not the one that was signed",
      section: `${RULES} 1`,
      manifest: () => {
        const { payload } = ACTIVE.seal(createPayload({ sequence: 8 }));
        return { ...ACTIVE.seal(createPayload()), payload };
      },
    },
    "changed-signature-is-refused": {
      title: "A signature in which one bit differs",
      section: `${RULES} 1`,
      manifest: () => {
        const envelope = ACTIVE.seal(createPayload());
        const bytes = Buffer.from(envelope.signature, "base64url");
        bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
        return { ...envelope, signature: bytes.toString("base64url") };
      },
    },
    "absent-signature-is-refused": {
      title: "An empty signature",
      section: `${RULES} 1`,
      manifest: () => ({ ...ACTIVE.seal(createPayload()), signature: "" }),
    },
    "signature-over-the-text-is-refused": {
      title: "A signature over the Base64URL text in place of the decoded bytes",
      section: `${RULES} 1`,
      manifest: () => {
        const envelope = ACTIVE.seal(createPayload());
        return { ...envelope, signature: ACTIVE.sign(Buffer.from(envelope.payload)) };
      },
    },
    "unpinned-key-is-refused": {
      title: "A manifest by a key that the app does not pin",
      section: "Trellis decision, release service: public keys are distributed with the client",
      manifest: () => STRANGER.seal(createPayload()),
    },
    "forged-key-id-is-refused": {
      title: "A manifest by a key that calls itself the active one",
      section: `${RULES} 1`,
      manifest: () => ({ ...STRANGER.seal(createPayload()), keyId: ACTIVE.keyId }),
    },
    "wrong-key-id-is-refused": {
      title: "A manifest that names another pinned key than the one that signed it",
      section: `${RULES} 1`,
      manifest: () => ({ ...ACTIVE.seal(createPayload()), keyId: STANDBY.keyId }),
    },
    "inherited-key-id-is-refused": {
      title: "A key id that names something every object has",
      section: "Trellis decision, release service: public keys are distributed with the client",
      manifest: () => ({ ...STRANGER.seal(createPayload()), keyId: "constructor" }),
    },
    "other-algorithm-is-refused": {
      title: "An envelope with another algorithm than ed25519",
      section: "release contract, SignedManifestEnvelope",
      manifest: () => ({ ...ACTIVE.seal(createPayload()), algorithm: "none" }),
    },
    "other-envelope-version-is-refused": {
      title: "An envelope of another schemaVersion",
      section: "release contract, Versioning",
      manifest: () => ({ ...ACTIVE.seal(createPayload()), schemaVersion: 2 }),
    },
    "unknown-envelope-member-is-refused": {
      title: "An envelope with a member that is not listed",
      section: "release contract, Resources and their fields",
      manifest: () => jsonReply({ ...ACTIVE.seal(createPayload()), note: "unsigned" }),
    },
    "padded-base64-is-refused": {
      title: "A payload in padded Base64",
      section: "release contract, Patterns",
      manifest: () => {
        const text = JSON.stringify(createPayload());
        const bytes = Buffer.from(text.length % 3 === 0 ? `${text} ` : text);
        return { ...ACTIVE.seal(bytes), payload: bytes.toString("base64") };
      },
    },
    "page-is-no-manifest": {
      title: "A page with status 200, such as the sign-in of a network",
      section: "release contract, GET /api/v1/manifest",
      manifest: () => ({
        status: 200,
        headers: { "Content-Type": "text/html; charset=utf-8" },
        body: "<!doctype html><title>Welcome to this network</title>",
      }),
    },
    "missing-manifest-confirms-nothing": {
      title: "A service without a signed manifest",
      section: "release contract, GET /api/v1/manifest: 503",
      manifest: () => {
        const requestId = "2951fd4d-dc84-4d91-b72f-cd248841b89b";
        const message = "Nothing has been signed";
        return jsonReply({ error: { code: "manifest_unavailable", message, requestId } }, 503);
      },
    },
    "other-product-is-refused": {
      title: "A manifest of another product by the same key",
      section: MANIFEST,
      manifest: () => ACTIVE.seal(createPayload({ product: "other-app" })),
    },
    "other-payload-version-is-refused": {
      title: "A signed payload of another schemaVersion",
      section: MANIFEST,
      manifest: () => ACTIVE.seal({ ...createPayload(), schemaVersion: 2 }),
    },
    "malformed-payload-is-refused": {
      title: "A signed payload without its sequence",
      section: MANIFEST,
      manifest: () => {
        const { sequence: _left, ...payload } = createPayload();
        return ACTIVE.seal(payload);
      },
    },
    "malformed-release-is-refused": {
      title: "A signed release whose file has no digest",
      section: MANIFEST,
      manifest: () => {
        const [artifact] = NEXT_RELEASE.artifacts;
        const { sha256: _left, ...undigested } = artifact ?? {};
        const release = { ...NEXT_RELEASE, artifacts: [undigested] };
        return ACTIVE.seal({ ...createPayload(), releases: [release] });
      },
    },
    "path-in-a-file-name-is-refused": {
      title: "A signed file name with a path in it",
      section: "release contract, Patterns",
      manifest: () => {
        const release = createRelease({ ...NEXT_RELEASE, artifacts: [{ fileName: "../habits" }] });
        return ACTIVE.seal(createPayload({ releases: [release] }));
      },
    },
    "insecure-file-address-is-refused": {
      title: "A signed file at an address that is not https",
      section: "release contract, ReleaseArtifact: url",
      manifest: () => {
        const fileName = "habits-1.1.0.AppImage";
        const artifacts = [{ fileName, url: `http://files.example/${fileName}` }];
        const release = createRelease({ ...NEXT_RELEASE, artifacts });
        return ACTIVE.seal(createPayload({ releases: [release] }));
      },
    },
    "expired-manifest-confirms-nothing": {
      title: "A manifest that has expired",
      section: `${MANIFEST}, expiresAt`,
      manifest: () => ACTIVE.seal(createPayload(EXPIRED)),
    },
    "too-long-a-lifetime-is-refused": {
      title: "A manifest that is valid for more than 400 days",
      section: `${MANIFEST}, expiresAt`,
      manifest: () =>
        ACTIVE.seal(createPayload({ expiresAt: inMs((MAX_MANIFEST_LIFETIME_DAYS + 1) * DAY_MS) })),
    },
  }),
});

const CHECK = "a check of a genuine manifest";

interface Refusal {
  /** What is refused. */
  readonly title: string;
  readonly section: string;
  manifest(): ManifestEnvelope | Reply;
}

/** The client confirms nothing, and downloads nothing. */
function refusals(refusalsById: Readonly<Record<string, Refusal>>) {
  const cases = Object.entries(refusalsById).map(([id, { title, section, manifest }]) => {
    const item = {
      title: `${title} confirms nothing, and nothing is downloaded`,
      section,
      async run(client: ClientUnderTest) {
        const asked = `a check: ${title.replace(/^A/, "a")}`;
        expectNothingConfirmed(await install(client).update(asked, { manifest: manifest() }));
      },
    };
    return [id, item] as const;
  });
  return Object.fromEntries(cases);
}
