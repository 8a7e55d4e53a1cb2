import { verifyManifest } from "../../../src/client/index.ts";
import { parseDateTime } from "../../../src/contract/date-time.ts";
import { DAY_MS } from "../../../src/contract/durations.ts";
import { CACHE } from "../../../src/contract/release/routes.ts";
import type { Release } from "../../../src/contract/release/schemas.ts";
import {
  EVERYBODY_PERCENT,
  MAX_MANIFEST_LIFETIME_DAYS,
  MAX_SEQUENCE_STEP,
  RELEASE_CHANNELS,
} from "../../../src/contract/release/values.ts";
import { latestOf } from "../../../src/rules/release/catalog.ts";
import { percentOf } from "../../../src/rules/release/rollouts.ts";
import { skipUnless } from "../../case.ts";
import { describeValue, expectEach, expectHeader, expectSame, fail } from "../../expect.ts";
import type { Origin } from "../../http.ts";
import {
  expectDecision,
  expectEnvelope,
  expectError,
  expectManifestPayload,
  expectRelease,
} from "../expectations.ts";
import { fetchArchive, fetchManifest, updatePath, withdrawnVersions } from "../requests.ts";
import { releaseCases } from "../server-under-test.ts";

const SIGNATURE_BYTES = 64;
const CLOCK_SKEW_MS = 300_000;
// A few releases show a difference, without reading a whole history.
const COMPARED_RELEASES = 20;

export const MANIFEST_CASES = releaseCases({
  "manifest-envelope-is-complete": {
    title: "The manifest is an Ed25519 envelope whose payload and signature are unpadded Base64URL",
    section: "release contract, GET /api/v1/manifest; SignedManifestEnvelope",
    async run(server) {
      const response = await fetchManifest(server);
      const envelope = expectEnvelope(response);
      for (const name of ["payload", "signature"] as const) {
        const bytes = Buffer.from(envelope[name], "base64url");
        if (bytes.toString("base64url") !== envelope[name]) {
          fail(response, `${name} in canonical Base64URL`, "stray bits at its end");
        }
      }
      const size = Buffer.from(envelope.signature, "base64url").length;
      if (size !== SIGNATURE_BYTES) {
        fail(response, `a signature of ${SIGNATURE_BYTES} bytes`, `one of ${size}`);
      }
    },
  },
  "manifest-signature-holds": {
    title: "A client that pins the keys can verify the manifest over its decoded payload bytes",
    section: "release contract, Authentication: integrity rules 1 and 2; SignedManifestEnvelope",
    async run(server) {
      const { keys, product } = server.input;
      skipUnless(keys !== undefined, "No public keys are known; give the key ring with --keys");
      const response = await fetchManifest(server);
      const result = await verifyManifest(response.text(), {
        keys,
        product: product ?? expectManifestPayload(response).product,
        highestSequence: 0,
        now: Date.now(),
      });
      // Other cases test the times.
      if (["verified", "expired", "lifetime-too-long"].includes(result.kind)) return;
      fail(response, "a manifest that verifies", describeValue(result));
    },
  },
  "manifest-is-in-force": {
    title: "The manifest was issued, has not expired, and its sequence never goes back",
    section: "Trellis decision, release service: decoded manifest payload, sequence and expiry",
    async run(server) {
      const response = await fetchManifest(server);
      const { issuedAt, expiresAt, sequence } = expectManifestPayload(response);
      const [issued, expires] = [parseDateTime(issuedAt) ?? 0, parseDateTime(expiresAt) ?? 0];
      const now = Date.now();
      if (issued > now + CLOCK_SKEW_MS) fail(response, "issuedAt in the past", issuedAt);
      if (expires <= issued) fail(response, `expiresAt after ${issuedAt}`, expiresAt);
      if (expires <= now) fail(response, "expiresAt in the future", expiresAt);
      const again = await fetchManifest(server);
      const next = expectManifestPayload(again).sequence;
      if (next < sequence) fail(again, `a sequence of at least ${sequence}`, `${next}`);
    },
  },
  "manifest-lifetime-is-bounded": {
    title: "The manifest expires at most 400 days after it was issued",
    section: "Trellis decision, release service: decoded manifest payload, expiresAt",
    async run(server) {
      const response = await fetchManifest(server);
      const { issuedAt, expiresAt } = expectManifestPayload(response);
      const lifetime = (parseDateTime(expiresAt) ?? 0) - (parseDateTime(issuedAt) ?? 0);
      if (lifetime <= MAX_MANIFEST_LIFETIME_DAYS * DAY_MS) return;
      const expected = `expiresAt at most ${MAX_MANIFEST_LIFETIME_DAYS} days after ${issuedAt}`;
      fail(response, expected, expiresAt);
    },
  },
  "manifest-sequence-names-one-payload": {
    title: "Two manifests with the same sequence have the same payload bytes",
    section: "Trellis decision, release service: decoded manifest payload, sequence",
    async run(server) {
      const [first, second] = [await fetchManifest(server), await fetchManifest(server)];
      const { sequence } = expectManifestPayload(first);
      if (expectManifestPayload(second).sequence !== sequence) return;
      if (expectEnvelope(first).payload === expectEnvelope(second).payload) return;
      fail(second, `the payload that sequence ${sequence} had before`, "another one");
    },
  },
  "manifest-sequence-grows-within-bounds": {
    title: "From one manifest to the next the sequence grows by at most 1,000,000",
    section: "Trellis decision, release service: decoded manifest payload, sequence",
    async run(server) {
      const before = expectManifestPayload(await fetchManifest(server)).sequence;
      const response = await fetchManifest(server);
      const { sequence } = expectManifestPayload(response);
      if (sequence - before <= MAX_SEQUENCE_STEP) return;
      fail(response, `a sequence of at most ${before + MAX_SEQUENCE_STEP}`, `${sequence}`);
    },
  },
  "manifest-is-not-signed-by-a-revoked-key": {
    title: "The key that signed the manifest is not one that the manifest revokes",
    section: "Trellis decision, release service: decoded manifest payload, revokedKeys",
    async run(server) {
      const response = await fetchManifest(server);
      const { revokedKeys = [] } = expectManifestPayload(response);
      const { keyId } = expectEnvelope(response);
      if (!revokedKeys.includes(keyId)) return;
      fail(response, "a signature of a key that is not revoked", `one of ${keyId}`);
    },
  },
  "manifest-lists-exactly-what-is-published": {
    title:
      "The manifest and its archive hold every published release as the API serves it, newest build first",
    section: "release contract, GET /api/v1/manifest; Trellis decision: decoded manifest payload",
    async run(server) {
      const response = await fetchManifest(server);
      const { releases, product } = expectManifestPayload(response);
      const served = await server.published();
      const archived = (await fetchArchive(server))?.body.releases ?? [];
      const versions = releases.map(({ version }) => version);
      const others = new Set(archived.map(({ version }) => version));
      expectSame(
        response,
        "releases",
        versions,
        served.map(({ version }) => version).filter((version) => !others.has(version)),
      );
      const all = new Set([...versions, ...others]);
      expectSame(response, "the number of releases", all.size, served.length);
      await expectEach(releases.slice(0, COMPARED_RELEASES), async (release) => {
        const concrete = await server.release(release.version);
        expectSame(response, `release ${release.version} as the API serves it`, release, concrete);
      });
      if (server.input.product !== undefined) {
        expectSame(response, "product", product, server.input.product);
      }
    },
  },
  "manifest-names-withdrawn-releases": {
    title: "The manifest or its archive tells who has a withdrawn release that it was taken back",
    section: "Trellis decision, release service: decoded manifest payload, withdrawn",
    async run(server) {
      const expected = withdrawnVersions(server);
      const response = await fetchManifest(server);
      const archived = (await fetchArchive(server))?.body.withdrawn ?? [];
      const { withdrawn } = expectManifestPayload(response);
      const named = [...withdrawn, ...archived].map(({ version }) => version);
      await expectEach(expected, (version) => {
        if (named.includes(version)) return;
        fail(response, `${version} among the withdrawn`, named.join(", ") || "none");
      });
    },
  },
  "manifest-rollouts-name-published-releases": {
    title:
      "A rollout names a release of the manifest, once, and only while it is below 100 percent",
    section: "Trellis decision, release service: decoded manifest payload, rollouts",
    async run(server) {
      const response = await fetchManifest(server);
      const { releases, rollouts = [] } = expectManifestPayload(response);
      const published = new Set(releases.map(({ version }) => version));
      await expectEach(rollouts, ({ version, percent }) => {
        // Each version is taken out, so a second rollout of it finds no release.
        if (!published.delete(version)) {
          fail(response, "rollouts of published releases, one for each", `one of ${version}`);
        }
        if (percent >= EVERYBODY_PERCENT) {
          fail(response, "no rollout of a release that is out for everybody", version);
        }
      });
    },
  },
  "staged-releases-are-served-to-everyone": {
    title:
      "A rollout changes no route: latest, the update decision and downloads are of the release",
    section: "release contract, GET /api/v1/releases/latest; GET /api/v1/update/{platform}",
    async run(server) {
      const response = await fetchManifest(server);
      const { releases, rollouts = [] } = expectManifestPayload(response);
      const newest = RELEASE_CHANNELS.flatMap((channel) => latestOf(releases, channel) ?? []);
      const staged = newest.filter(
        ({ version }) => percentOf(rollouts, version) < EVERYBODY_PERCENT,
      );
      skipUnless(staged.length > 0, "No newest release of a channel is rolled out by share");
      await expectEach(staged, (release) => expectServed(server.api, release));
    },
  },
  "missing-manifest-is-unavailable": {
    title: "Without a signed manifest the answer is 503 manifest_unavailable, which no cache keeps",
    section: "release contract, GET /api/v1/manifest: 503; Cache-Control; Errors",
    async run(server) {
      const here = await server.api.get("/api/v1/manifest");
      const response = here.status === 503 ? here : await server.empty().get("/api/v1/manifest");
      expectError(response, "manifest_unavailable");
      expectHeader(response, "Cache-Control", CACHE.never);
      expectHeader(response, "ETag", undefined);
    },
  },
});

async function expectServed(api: Origin, release: Release): Promise<void> {
  const { version, buildNumber, channel, artifacts } = release;
  const latest = await api.get(`/api/v1/releases/latest?channel=${channel}`);
  expectSame(latest, "the newest published release", expectRelease(latest), release);
  const update = await api.get(updatePath({ version: "0.0.1", build: 1, channel }));
  expectSame(update, "target", expectDecision(update).target, { version, buildNumber });
  const direct = artifacts.find(({ platform }) => platform === "linux");
  if (direct === undefined) return;
  const architecture = encodeURIComponent(direct.architecture);
  const path = `/api/v1/download/linux/${architecture}?channel=${channel}`;
  expectHeader(await api.get(path), "Location", direct.url);
}
