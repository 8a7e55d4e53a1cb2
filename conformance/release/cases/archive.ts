import { hash } from "node:crypto";
import { CACHE } from "../../../src/contract/release/routes.ts";
import type { ManifestPayload, Release } from "../../../src/contract/release/schemas.ts";
import {
  EVERYBODY_PERCENT,
  MAX_SIGNED_MANIFEST_BYTES,
  RELEASE_CHANNELS,
} from "../../../src/contract/release/values.ts";
import { canonicalJson } from "../../../src/rules/canonical-json.ts";
import { percentOf } from "../../../src/rules/release/rollouts.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectHeader, expectSame, expectStatus, fail } from "../../expect.ts";
import { expectArchive, expectError, expectManifestPayload } from "../expectations.ts";
import { archivePath, fetchArchive, fetchManifest } from "../requests.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

const section = "Trellis decision, release service: decoded manifest payload, archive";
// A few releases show a difference, without reading a whole history.
const COMPARED_RELEASES = 5;

export const ARCHIVE_CASES = releaseCases({
  "manifest-is-small": {
    title: "The envelope of the manifest has at most 1 MiB, however many releases there were",
    section,
    async run(server) {
      const response = await fetchManifest(server);
      const size = Buffer.byteLength(response.text());
      if (size <= MAX_SIGNED_MANIFEST_BYTES) return;
      fail(response, `at most ${MAX_SIGNED_MANIFEST_BYTES} bytes`, `${size}`);
    },
  },
  "manifest-has-what-copies-can-act-on": {
    title: "The releases that installations are offered are in the manifest, not in its archive",
    section,
    async run(server) {
      const response = await fetchManifest(server);
      const payload = expectManifestPayload(response);
      const archive = await fetchArchive(server);
      skipUnless(archive !== null, "The manifest has the whole history");
      const offered = [...payload.releases, ...archive.body.releases];
      const expected = RELEASE_CHANNELS.flatMap((channel) =>
        findOffered(offered, payload, channel),
      );
      const named = new Set(payload.releases.map(({ version }) => version));
      await expectEach(expected, ({ version }) => {
        if (!named.has(version)) fail(response, `${version} among the releases`, "no such release");
      });
    },
  },
  "archive-has-the-signed-digest": {
    title: "The archive has the digest, the length and the number of releases that were signed",
    section,
    async run(server) {
      const { archive } = expectManifestPayload(await fetchManifest(server));
      skipUnless(archive !== undefined, "The manifest has the whole history");
      const response = await server.api.get(archivePath(archive.sha256));
      expectStatus(response, 200);
      expectHeader(response, "Cache-Control", CACHE.immutable);
      const text = response.text();
      expectSame(response, "the SHA-256", hash("sha256", text), archive.sha256);
      expectSame(response, "the bytes", Buffer.byteLength(text), archive.size);
      const { releases } = expectArchive(response);
      expectSame(response, "the number of releases", releases.length, archive.releases);
    },
  },
  "archive-is-canonical": {
    title: "The archive is canonical text (RFC 8785) of the manifest's product, newest build first",
    section,
    async run(server) {
      const { response, body } = await expectSomeArchive(server);
      expectSame(response, "the text", canonicalJson(body), response.text());
      const { product } = expectManifestPayload(await fetchManifest(server));
      expectSame(response, "product", body.product, product);
      const builds = body.releases.map(({ buildNumber }) => buildNumber);
      expectSame(
        response,
        "the order",
        builds,
        builds.toSorted((a, b) => b - a),
      );
    },
  },
  "archive-has-the-served-releases": {
    title: "Archived releases and their files are those that the API serves",
    section,
    async run(server) {
      const { response, body } = await expectSomeArchive(server);
      const versions = body.releases.map(({ version }) => version);
      const signed = body.files.map(({ version }) => version);
      expectSame(response, "the versions in files", signed, versions);
      await expectEach(body.releases.slice(0, COMPARED_RELEASES), async (release) => {
        const { version } = release;
        const concrete = await server.release(version);
        expectSame(response, `release ${version} as the API serves it`, release, concrete);
        const files = await server.api.get(`/feeds/files/${version}`);
        const digest = body.files.find((entry) => entry.version === version)?.sha256;
        expectSame(files, "the SHA-256", hash("sha256", files.text()), digest);
      });
    },
  },
  "unknown-archive-is-not-found": {
    title: "An archive that no manifest names is 404 not_found",
    section,
    async run({ api }) {
      for (const name of ["0".repeat(64), "0".repeat(63), "A".repeat(64)]) {
        expectError(await api.get(archivePath(name)), "not_found");
      }
    },
  },
});

/** The staged releases that are not overtaken, and the one that everybody else gets. */
function findOffered(
  releases: readonly Release[],
  { rollouts = [] }: ManifestPayload,
  channel: Release["channel"],
): Release[] {
  const own = releases
    .filter((release) => release.channel === channel)
    .toSorted((a, b) => b.buildNumber - a.buildNumber);
  const everybody = own.findIndex(
    ({ version }) => percentOf(rollouts, version) >= EVERYBODY_PERCENT,
  );
  return everybody < 0 ? own : own.slice(0, everybody + 1);
}

async function expectSomeArchive(server: ReleaseServerUnderTest) {
  const archive = await fetchArchive(server);
  skipUnless(archive !== null, "The manifest has the whole history");
  return archive;
}
