import { createChecker } from "../../../src/contract/check.ts";
import { TauriUpdate } from "../../../src/contract/release/feed-routes.ts";
import {
  FEEDS,
  ELECTRON_TARGETS,
  TAURI_ARCHITECTURES,
  TAURI_BUNDLE_TYPES,
  TAURI_TARGETS,
  type TauriBundleType,
} from "../../../src/contract/release/feed-values.ts";
import { CACHE } from "../../../src/contract/release/routes.ts";
import type { ReleaseArtifact } from "../../../src/contract/release/schemas.ts";
import { compareAppVersions } from "../../../src/rules/release/app-version.ts";
import {
  createBodyExpectation,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectSame,
  expectStatus,
  fail,
} from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { expectErrorsAt } from "../expectations.ts";
import {
  expectSquirrelFeed,
  expectTauriFeed,
  readAppcast,
  readElectronFeed,
} from "../read-feed.ts";
import {
  checkFeeds,
  feedSection as section,
  servedFeeds,
  offeredRelease,
} from "../served-feeds.ts";
import { releaseCases } from "../server-under-test.ts";

const expectTauriUpdate = createBodyExpectation(createChecker(TauriUpdate));

const NEWER_VERSION = "987654321.0.0";
const BASE64_64_BYTES = /^[A-Za-z0-9+/]{86}==$/;
const TAURI_KEY = new RegExp(
  `^(?:${TAURI_TARGETS.join("|")})-(?:${TAURI_ARCHITECTURES.join("|")})(?:-(?:${TAURI_BUNDLE_TYPES.join("|")}))?$`,
);

const BUNDLE_ENDINGS: Readonly<Record<TauriBundleType, RegExp>> = {
  nsis: /\.(?:exe|nsis\.zip)(?:[?#]|$)/i,
  msi: /\.msi(?:\.zip)?(?:[?#]|$)/i,
  app: /\.tar\.gz(?:[?#]|$)/i,
  appimage: /\.appimage(?:\.tar\.gz)?(?:[?#]|$)/i,
  deb: /\.deb(?:[?#]|$)/i,
  rpm: /\.rpm(?:[?#]|$)/i,
};
/** Names of the architectures that read each file, by the end of the file's name. */
const LINUX_NAMES: Readonly<Record<string, RegExp>> = {
  [ELECTRON_TARGETS.linux]: /^(?:x64|x86_64|amd64|universal)$/i,
  [ELECTRON_TARGETS["linux-arm64"]]: /^(?:arm64|aarch64|universal)$/i,
  [ELECTRON_TARGETS["linux-arm"]]: /^arm(?:v7l?|hf)$/i,
  [ELECTRON_TARGETS["linux-ia32"]]: /^(?:x86|ia32|i[36]86)$/i,
};

export const FEED_CASES = releaseCases({
  "feeds-are-kept-for-minutes": {
    title: "A feed may be kept a minute, five in shared caches, and any page may read it",
    section: section("caching"),
    run: checkFeeds(FEEDS, (response, path) => {
      if (path.endsWith(".xml")) expectAtMostMinutes(response);
      else expectHeader(response, "Cache-Control", CACHE.current);
      expectHeader(response, "Access-Control-Allow-Origin", "*");
    }),
  },
  "feeds-answer-304": {
    title: "A feed has a strong ETag, and a request with it is answered 304 without a body",
    section: section("caching"),
    run: checkFeeds(FEEDS, async (response, path, server) => {
      const etag = expectHeaderMatch(response, "ETag", /^"[^"]+"$/, "a strong validator");
      const again = await server.api.get(path, { "If-None-Match": etag });
      expectStatus(again, 304);
      expectNoBody(again);
    }),
  },
  "feeds-name-their-media-type": {
    title: "YAML, RSS and JSON feeds say what they are",
    section: section("media types"),
    run: checkFeeds(FEEDS, (response, path) => {
      const type = path.endsWith(".yml")
        ? /^application\/yaml(?:;|$)/
        : path.endsWith(".xml")
          ? /^application\/rss\+xml; charset=utf-8$/
          : /^application\/json; charset=utf-8$/;
      expectHeaderMatch(response, "Content-Type", type, `the type of ${path}`);
    }),
  },
  "electron-feed-lists-artifacts-with-digests": {
    title: "A file of electron-updater lists artifacts of a published release, with their SHA-512",
    section: section("electron-updater"),
    run: checkFeeds(["electron"], async (response, _path, server) => {
      const feed = readElectronFeed(response);
      const release = await offeredRelease(server, response, { ...feed, url: feed.path });
      expectSame(response, "releaseDate", feed.releaseDate, release.publishedAt);
      expectSame(response, "path", feed.path, feed.files[0]?.url);
      expectSame(response, "sha512", feed.sha512, feed.files[0]?.sha512);
      for (const { url, size, sha512 } of feed.files) {
        const artifact = expectArtifact(response, release.artifacts, url);
        expectSame(response, `size of ${url}`, size, artifact.size);
        if (!BASE64_64_BYTES.test(sha512)) {
          fail(response, "a SHA-512 in Base64", `"${sha512}"`);
        }
      }
    }),
  },
  "electron-linux-feeds-have-one-architecture": {
    title: "A file of electron-updater for Linux lists artifacts for its architecture only",
    section: section("electron-updater"),
    run: checkFeeds(["electron"], async (response, path, server) => {
      const end = /-linux(?:-\w+)?(?=\.yml$)/.exec(path)?.[0];
      if (end === undefined) return;
      const feed = readElectronFeed(response);
      const { artifacts } = await offeredRelease(server, response, { ...feed, url: feed.path });
      for (const { url } of feed.files) {
        const found = artifacts.filter((item) => item.url === url && item.platform === "linux");
        const fits = found.some(({ architecture }) => LINUX_NAMES[end]?.test(architecture));
        if (!fits) fail(response, `files for ${end.slice(1)}`, url);
      }
    }),
  },
  "electron-beta-is-not-older-than-stable": {
    title: "A beta file of electron-updater is never behind the stable one",
    section: section("channels"),
    async run(server) {
      const feeds = await servedFeeds(server, "electron");
      const pairs = feeds.flatMap(([path, stable]) => {
        const beta = feeds.find(([other]) => other === path.replace("/latest", "/beta"));
        return path.includes("/latest") && beta !== undefined ? [[stable, beta[1]] as const] : [];
      });
      await expectEach(pairs, ([stable, beta]) => {
        const [older, newer] = [readElectronFeed(stable).version, readElectronFeed(beta).version];
        if (compareAppVersions(newer, older) < 0) fail(beta, `${older} or newer`, newer);
      });
    },
  },
  "tauri-feed-lists-signed-artifacts": {
    title: "The static file of Tauri lists signed artifacts of one published release by platform",
    section: section("Tauri"),
    run: checkFeeds(["tauri"], async (response, _path, server) => {
      const feed = expectTauriFeed(response);
      const { url: first = "" } = Object.values(feed.platforms)[0] ?? {};
      const release = await offeredRelease(server, response, { ...feed, url: first });
      for (const [key, { url, signature }] of Object.entries(feed.platforms)) {
        if (!TAURI_KEY.test(key)) fail(response, "platforms such as linux-x86_64", key);
        expectArtifact(response, release.artifacts, url);
        if (signature === "") fail(response, `a signature of ${key}`, "none");
      }
    }),
  },
  "tauri-update-compares-versions": {
    title: "A Tauri app is offered what is newer than its version by SemVer, else 204",
    section: section("Tauri"),
    run: checkFeeds(["tauri"], async (response, path, server) => {
      const { version, platforms } = expectTauriFeed(response);
      const machine = Object.keys(platforms).find((key) => key.split("-").length === 2) ?? "";
      const base = `${path.replace(".json", "")}/${machine.replace("-", "/")}`;
      const { url, signature } = platforms[machine] ?? {};
      const [plain = ""] = version.split("+");
      const [core = "", ...preRelease] = plain.split("-");
      const older = `${core}-${preRelease.length === 0 ? "alpha.1" : "0"}`;
      for (const installed of ["0.0.0-0", older]) {
        const update = expectTauriUpdate(await server.api.get(`${base}/${installed}`));
        expectSame(`GET ${base}/${installed}`, "the update", update.version, version);
        expectSame(
          `GET ${base}/${installed}`,
          "the file",
          [update.url, update.signature],
          [url, signature],
        );
      }
      for (const installed of [plain, `${plain}%2B7`, NEWER_VERSION]) {
        const none = await server.api.get(`${base}/${installed}`);
        expectStatus(none, 204);
        expectNoBody(none);
        expectHeader(none, "Cache-Control", CACHE.current);
      }
    }),
  },
  "tauri-update-is-of-the-installed-kind": {
    title:
      "A Tauri app that says what it was installed as is offered a file of that kind, else 204",
    section: section("Tauri"),
    run: checkFeeds(["tauri"], async (response, path, server) => {
      const { platforms } = expectTauriFeed(response);
      const base = path.replace(".json", "");
      const machines = Object.keys(platforms).filter((key) => key.split("-").length === 2);
      await expectEach(machines, async (machine) => {
        const address = `${base}/${machine.replace("-", "/")}`;
        const plain = await server.api.get(`${address}/0.0.0-0`);
        const unknown = await server.api.get(`${address}/unknown/0.0.0-0`);
        expectSame(unknown, "the update of unknown", unknown.text(), plain.text());
        for (const type of TAURI_BUNDLE_TYPES) {
          const update = await server.api.get(`${address}/${type}/0.0.0-0`);
          const file = platforms[`${machine}-${type}`];
          if (update.status === 204 && file === undefined) continue;
          const { url, version } = expectTauriUpdate(update);
          if (file !== undefined) expectSame(update, `the file for ${type}`, url, file.url);
          await offeredRelease(server, update, { version, url });
          if (!BUNDLE_ENDINGS[type].test(url)) fail(update, `a file of the kind ${type}`, url);
        }
      });
    }),
  },
  "tauri-update-refuses-malformed-requests": {
    title: "An unknown channel, system or architecture and a malformed version are refused",
    section: section("Tauri"),
    async run(server) {
      await servedFeeds(server, "tauri");
      await expectErrorsAt(server.api, {
        "/feeds/tauri/nightly/windows/x86_64/1.0.0": "invalid_channel",
        "/feeds/tauri/stable/macos/x86_64/1.0.0": "invalid_update_request",
        "/feeds/tauri/stable/windows/x64/1.0.0": "invalid_update_request",
        "/feeds/tauri/stable/windows/x86_64/v1.0.0": "invalid_update_request",
        "/feeds/tauri/stable/windows/x86_64/1.0": "invalid_update_request",
        "/feeds/tauri/stable/windows/x86_64/exe/1.0.0": "invalid_update_request",
      });
    },
  },
  "appcast-items-are-signed-artifacts": {
    title: "The items of an appcast are artifacts of published releases, with an EdDSA signature",
    section: section("Sparkle"),
    run: checkFeeds(["sparkle"], (response, _path, server) =>
      expectEach(readAppcast(response), async (item) => {
        const release = await offeredRelease(server, response, item);
        expectSame(response, "sparkle:version", item.build, String(release.buildNumber));
        const artifact = expectArtifact(response, release.artifacts, item.url);
        expectSame(response, `length of ${item.url}`, item.length, String(artifact.size));
        if (!BASE64_64_BYTES.test(item.edSignature)) {
          fail(response, "a sparkle:edSignature of 64 bytes", `"${item.edSignature}"`);
        }
      }),
    ),
  },
  "appcast-marks-beta-items": {
    title: "The stable appcast has no beta, and the beta appcast names the channel of those it has",
    section: section("channels"),
    run: checkFeeds(["sparkle"], (response, path, server) =>
      expectEach(readAppcast(response), async (item) => {
        const release = await offeredRelease(server, response, item);
        if (release.channel === "beta" && path.includes("/stable/")) {
          fail(response, "stable releases", `the beta ${item.version}`);
        }
        const expected = release.channel === "beta" ? "beta" : null;
        expectSame(response, `sparkle:channel of ${item.version}`, item.channel, expected);
      }),
    ),
  },
  "squirrel-feed-names-an-archive": {
    title: "The feed for Squirrel on a Mac names an archive of a published release",
    section: section("Squirrel.Mac"),
    run: checkFeeds(["squirrel"], async (response, _path, server) => {
      const { currentRelease, releases } = expectSquirrelFeed(response);
      const entry = releases.find(({ version }) => version === currentRelease);
      const url = entry?.updateTo.url ?? "";
      const release = await offeredRelease(server, response, { version: currentRelease, url });
      expectArtifact(response, release.artifacts, url);
      if (!/\.zip(?:[?#]|$)/i.test(url)) fail(response, "a .zip archive", url);
    }),
  },
});

/** An appcast is kept for less shortly before a deadline. */
function expectAtMostMinutes(response: ReceivedResponse): void {
  const upTo60 = "(?:60|[1-5]?[0-9])";
  const upTo300 = "(?:300|[12]?[0-9]?[0-9])";
  const pattern = new RegExp(`^public, max-age=${upTo60}, s-maxage=${upTo300}$`);
  expectHeaderMatch(response, "Cache-Control", pattern, `${CACHE.current} or shorter`);
}

function expectArtifact(
  response: ReceivedResponse,
  artifacts: readonly ReleaseArtifact[],
  url: string,
): ReleaseArtifact {
  const artifact = artifacts.find((item) => item.url === url && item.distribution !== "play");
  return artifact ?? fail(response, "the address of an artifact of the release", `"${url}"`);
}
