import type { Release } from "../../../src/contract/release/schemas.ts";
import { DISTRIBUTION_PLATFORMS, RELEASE_CHANNELS } from "../../../src/contract/release/values.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import {
  compareVersions,
  expectDecision,
  expectDownloads,
  expectError,
  expectErrorAt,
  expectList,
  expectManifestPayload,
  expectRelease,
} from "../expectations.ts";
import { checkEachLatest, UNKNOWN_VERSION, updatePath, withdrawnVersions } from "../requests.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

// A few releases show an error, without reading a whole history.
const CHECKED_RELEASES = 20;

export const RELEASES_CASES = releaseCases({
  "latest-is-the-first-of-the-list": {
    title:
      "The latest release is the newest published build of its channel, and what is known of it",
    section: "release contract, GET /api/v1/releases/latest",
    run: (server) =>
      expectEach(RELEASE_CHANNELS, async (channel) => {
        const response = await server.api.get(`/api/v1/releases/latest?channel=${channel}`);
        const first = (await server.list(channel))[0];
        const known = server.input.fixtures?.[channel];
        if (known === null || (known === undefined && first === undefined)) {
          expectError(response, "release_not_found");
          return;
        }
        const { version, buildNumber } = expectRelease(response);
        const found = { version, buildNumber };
        const listed = first && { version: first.version, buildNumber: first.buildNumber };
        expectSame(response, "the first of the list", found, listed);
        if (known !== undefined) expectSame(response, "the release it holds", found, known);
      }),
  },
  "latest-is-the-concrete-release": {
    title: "The latest release and the release of that version are the same resource",
    section:
      "release contract, GET /api/v1/releases/latest; GET /api/v1/releases/{version}; Release",
    run: checkEachLatest(async (release, server) => {
      const response = await server.api.get(`/api/v1/releases/latest?channel=${release.channel}`);
      expectSame(response, `release ${release.version}`, expectRelease(response), release);
    }),
  },
  "latest-is-no-version": {
    title: "The downloads of `latest` are 404 release_not_found: no version is called that",
    section: "Trellis decision, release service: /api/v1/releases/latest/downloads",
    async run({ api }) {
      expectError(await api.get("/api/v1/releases/latest/downloads"), "release_not_found");
    },
  },
  "beta-is-served-only-when-asked": {
    title: "Without a channel every route speaks of stable releases",
    section: "release contract, What the service does: convention 3",
    async run(server) {
      const stable = await server.latest("stable");
      skipUnless(stable !== null, "The server has no stable release");
      const latest = await server.api.get("/api/v1/releases/latest");
      expectSame(latest, "release", expectRelease(latest), stable);

      const update = await server.api.get(updatePath({ version: "0.0.1", build: 1 }));
      const { version, buildNumber } = stable;
      expectSame(update, "target", expectDecision(update).target, { version, buildNumber });

      const urls = new Set(stable.artifacts.map(({ url }) => url));
      for (const platform of ["android", "windows", "linux", "macos"]) {
        const download = await server.api.get(`/api/v1/download/${platform}`);
        const location = download.header("Location");
        if (download.status === 302 && !urls.has(location ?? "")) {
          fail(download, `an artifact of ${version}`, location ?? "no Location");
        }
      }
    },
  },
  "nothing-published-is-release-not-found": {
    title: "In a channel without releases latest, update and download are 404 release_not_found",
    section: "release contract, Errors: release_not_found; Trellis decision: order of checks",
    async run(server) {
      const { api, channel } = await server.emptyChannel();
      const paths = [
        `/api/v1/releases/latest?channel=${channel}`,
        updatePath({ version: "1.0.0", build: 1, channel }),
        ...DISTRIBUTION_PLATFORMS.map(
          (platform) => `/api/v1/download/${platform}?channel=${channel}`,
        ),
        // The server looks for the release before it looks for the artifact.
        `/api/v1/download/linux/no-such-architecture?channel=${channel}`,
      ];
      await expectErrorAt(api, "release_not_found", paths);
      const list = await api.get(`/api/v1/releases?channel=${channel}`);
      const { total, releases } = expectList(list);
      expectSame(list, "an empty list", { total, releases }, { total: 0, releases: [] });
    },
  },
  "release-is-found-in-any-channel": {
    title: "A version is looked up across the channels",
    section: "release contract, GET /api/v1/releases/{version}",
    async run(server) {
      const newest = await server.latestOfEach();
      const published = await server.published();
      const versions = [...newest, ...published.slice(0, 10)];
      await expectEach(new Set(versions.map(({ version }) => version)), async (version) => {
        const response = await server.api.get(`/api/v1/releases/${version}`);
        expectSame(response, "version", expectRelease(response).version, version);
      });
    },
  },
  "releases-are-coherent": {
    title: "The parts of a release fit together: distributions, files, media, supported version",
    section:
      "release contract, ReleaseArtifact and Release; Trellis decision: catalogue validation",
    async run(server) {
      const published = await server.published();
      await expectEach(published.slice(0, CHECKED_RELEASES), async ({ version }) => {
        const release = await server.release(version);
        const [error] = findErrors(release);
        if (error !== undefined) {
          fail(`GET /api/v1/releases/${version}`, "a coherent release", error);
        }
      });
    },
  },
  "unknown-versions-are-not-found": {
    title: "A version that is not published, or is none, is 404 release_not_found",
    section: "release contract, GET /api/v1/releases/{version}: 404; Trellis decision: not SemVer",
    async run(server) {
      const [newest] = await server.published();
      const version = newest?.version ?? "1.0.0";
      const texts = [
        UNKNOWN_VERSION,
        "99999999999999999999999999.0.0",
        `v${version}`,
        `0${version}`,
        `${version}.0`,
        `${version}-beta`,
        `${version}+1`,
        `%20${version}`,
        `${version}%0A`,
        `${version}%00`,
        version.split(".").slice(0, 2).join("."),
        "newest",
        "__proto__",
        "constructor",
      ];
      const paths = texts.flatMap((text) => [
        `/api/v1/releases/${text}`,
        `/api/v1/releases/${text}/downloads`,
      ]);
      await expectErrorAt(server.api, "release_not_found", paths);
    },
  },
  "downloads-are-the-artifacts-of-the-release": {
    title: "The downloads of a version are the artifacts of that release, in its order",
    section: "release contract, GET /api/v1/releases/{version}/downloads; ReleaseDownloads",
    run: checkEachLatest(async ({ version, artifacts }, server) => {
      const response = await server.api.get(`/api/v1/releases/${version}/downloads`);
      expectSame(response, "downloads", expectDownloads(response), { version, artifacts });
    }),
  },
  "drafts-are-never-exposed": {
    title: "A draft is found nowhere: not by version, not in a list, not in the manifest",
    section: "release contract, What the service does: convention 9; States and transitions",
    async run(server) {
      const drafts = server.input.fixtures?.drafts ?? [];
      skipUnless(drafts.length > 0, "No draft is known; name one in the file of --fixtures");
      await expectEach(drafts, (version) => expectHidden(server, version));
      const manifest = await server.api.get("/api/v1/manifest");
      if (manifest.status === 503) return;
      const { releases, withdrawn } = expectManifestPayload(manifest);
      const named = new Set([...releases, ...withdrawn].map(({ version }) => version));
      await expectEach(drafts, (version) => {
        if (named.has(version)) fail(manifest, `no ${version} in the payload`, version);
      });
    },
  },
  "withdrawn-releases-are-not-served": {
    title: "A release that was taken back is served no more, and is no release of the manifest",
    section:
      "release contract, Errors: release_not_found; Trellis decision: only published is served",
    async run(server) {
      const versions = withdrawnVersions(server);
      await expectEach(versions, (version) => expectHidden(server, version));
      const manifest = await server.api.get("/api/v1/manifest");
      if (manifest.status === 503) return;
      const named = new Set(expectManifestPayload(manifest).releases.map(({ version }) => version));
      await expectEach(versions, (version) => {
        if (named.has(version)) fail(manifest, `no release ${version}`, version);
      });
    },
  },
});

function findErrors(release: Release): string[] {
  const { version, minimumSupportedVersion, artifacts, media, presentation } = release;
  const errors: string[] = [];
  if (compareVersions(minimumSupportedVersion, version) > 0) {
    errors.push(`one that supports clients from ${minimumSupportedVersion} only`);
  }
  const files = new Set<string>();
  for (const { platform, architecture, fileName, distribution } of artifacts) {
    if ((platform === "android") !== (distribution !== undefined)) {
      errors.push(`${fileName} for ${platform} with distribution ${distribution ?? "absent"}`);
    }
    const file = `${platform} ${architecture} ${fileName}`;
    if (files.has(file)) errors.push(`${file} twice`);
    files.add(file);
  }
  const mediaIds = new Set(media?.map(({ id }) => id));
  for (const { highlights } of Object.values(presentation ?? {})) {
    for (const { id, mediaId } of highlights) {
      if (mediaId === undefined || mediaIds.has(mediaId)) continue;
      errors.push(`highlight ${id} that shows media ${mediaId}, which there is not`);
    }
  }
  return errors;
}

/** The API does not show that the version exists. */
async function expectHidden(server: ReleaseServerUnderTest, version: string): Promise<void> {
  for (const path of [`/api/v1/releases/${version}`, `/api/v1/releases/${version}/downloads`]) {
    expectError(await server.api.get(path), "release_not_found");
  }
  for (const channel of RELEASE_CHANNELS) {
    const releases = await server.list(channel);
    if (releases.some((release) => release.version === version)) {
      fail(`GET /api/v1/releases?channel=${channel}`, `no ${version} in the list`, version);
    }
    if (releases.length === 0) continue;
    const response = await server.api.get(updatePath({ version: "0.0.1", build: 1, channel }));
    if (expectDecision(response).target.version === version) {
      fail(response, `another target than ${version}`, version);
    }
  }
}
