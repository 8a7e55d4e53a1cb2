import { hash } from "node:crypto";
import { createChecker } from "../../../src/contract/check.ts";
import { ReleaseFiles } from "../../../src/contract/release/catalog.ts";
import { CACHE } from "../../../src/contract/release/routes.ts";
import type { Release, SignedFiles } from "../../../src/contract/release/schemas.ts";
import { toPublicArtifact } from "../../../src/rules/release/catalog.ts";
import { skipUnless } from "../../case.ts";
import {
  createBodyExpectation,
  expectEach,
  expectHeader,
  expectSame,
  expectStatus,
  fail,
} from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { expectManifestPayload } from "../expectations.ts";
import { expectTauriFeed, readAppcast, readElectronFeed } from "../read-feed.ts";
import { fetchArchive, fetchManifest } from "../requests.ts";
import { checkFeeds } from "../served-feeds.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

const expectFiles = createBodyExpectation(createChecker(ReleaseFiles));
const section = "Trellis decision, release service: decoded manifest payload, files";
// A few releases show a difference, without reading a whole history.
const COMPARED_RELEASES = 20;

export const FILES_CASES = releaseCases({
  "manifest-signs-the-served-files": {
    title: "The list of a release's files has the signed digest and the artifacts of the release",
    section,
    async run(server) {
      const files = await fetchSignedFiles(server);
      await expectEach(files.slice(0, COMPARED_RELEASES), async ({ version, sha256 }) => {
        const response = await server.api.get(`/feeds/files/${version}`);
        expectStatus(response, 200);
        expectHeader(response, "Cache-Control", CACHE.immutable);
        expectSame(response, "the SHA-256", hash("sha256", response.text()), sha256);
        const list = expectFiles(response);
        expectSame(response, "version", list.version, version);
        const { artifacts } = await server.release(version);
        expectSame(response, "the artifacts", list.files.map(toPublicArtifact), artifacts);
      });
    },
  },
  "manifest-files-name-published-releases": {
    title: "Digests of files are of releases of the manifest, one for each",
    section,
    async run(server) {
      const files = await fetchSignedFiles(server);
      const response = await fetchManifest(server);
      const published = new Set(
        expectManifestPayload(response).releases.map(({ version }) => version),
      );
      await expectEach(files, ({ version }) => {
        // Each version is taken out, so a second digest of it finds no release.
        if (published.delete(version)) return;
        fail(response, "digests of published releases, one for each", `one of ${version}`);
      });
    },
  },
  "feeds-have-the-signed-files": {
    title: "The versions, SHA-512 digests and signatures in feeds are those of the signed list",
    section,
    async run(server) {
      await fetchSignedFiles(server);
      const { releases: newest } = expectManifestPayload(await fetchManifest(server));
      // A platform that is released rarely keeps its feed.
      const archived = (await fetchArchive(server))?.body.releases ?? [];
      const releases = [...newest, ...archived];
      await checkFeeds(["electron", "tauri", "sparkle"], (response, path) =>
        expectEach(readFeed(response, path), async ({ version, url, value }) => {
          const list = await findList(server, releases, url);
          expectSame(response, `the version of ${url}`, version, list?.appVersion ?? list?.version);
          const { sha512, signatures } = list?.files.find((file) => file.url === url) ?? {};
          const signed = path.endsWith(".yml")
            ? sha512
            : path.endsWith(".xml")
              ? signatures?.sparkle
              : signatures?.minisign;
          expectSame(response, `what ${url} is checked by`, value, signed);
        }),
      )(server);
    },
  },
});

/** Not testable when the manifest signs no files, as those of before do. */
async function fetchSignedFiles(server: ReleaseServerUnderTest): Promise<readonly SignedFiles[]> {
  const { files = [] } = expectManifestPayload(await fetchManifest(server));
  skipUnless(files.length > 0, "The manifest signs no files; sign it again with a newer version");
  return files;
}

interface FeedFile {
  readonly version: string;
  readonly url: string;
  /** The digest or signature that the updater checks. */
  readonly value: string;
}

function readFeed(response: ReceivedResponse, path: string): FeedFile[] {
  if (path.endsWith(".yml")) {
    const { version, files } = readElectronFeed(response);
    return files.map(({ url, sha512 }) => ({ version, url, value: sha512 }));
  }
  if (path.endsWith(".xml")) {
    return readAppcast(response).map((item) => ({ ...item, value: item.edSignature }));
  }
  const { version, platforms } = expectTauriFeed(response);
  return Object.values(platforms).map(({ url, signature }) => ({ version, url, value: signature }));
}

/** By its address: a feed may call the release by another version than the contract's. */
async function findList(
  { api }: ReleaseServerUnderTest,
  releases: readonly Release[],
  url: string,
): Promise<ReleaseFiles | undefined> {
  const release = releases.find(({ artifacts }) => artifacts.some((file) => file.url === url));
  return release && expectFiles(await api.get(`/feeds/files/${release.version}`));
}
