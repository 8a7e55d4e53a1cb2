import { CACHE } from "../../../src/contract/release/routes.ts";
import { DISTRIBUTION_PLATFORMS } from "../../../src/contract/release/values.ts";
import { chooseArtifact } from "../../../src/rules/release/choose-artifact.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectHeader, expectSame, fail } from "../../expect.ts";
import {
  expectAbsoluteRedirect,
  expectError,
  expectErrorAt,
  expectErrorsAt,
  expectRedirect,
} from "../expectations.ts";
import { checkEachLatest } from "../requests.ts";
import { releaseCases } from "../server-under-test.ts";

export const DOWNLOAD_CASES = releaseCases({
  "download-uses-the-default-architecture": {
    title: "Without an architecture a download is universal on android and macos, x64 elsewhere",
    section: "release contract, GET /api/v1/download/{platform}",
    run: checkEachLatest(({ channel, artifacts }, server) =>
      expectEach(DISTRIBUTION_PLATFORMS, async (platform) => {
        const response = await server.api.get(`/api/v1/download/${platform}?channel=${channel}`);
        const match = chooseArtifact(artifacts, platform);
        if (match === undefined) expectError(response, "artifact_not_found");
        else expectRedirect(response, match.url);
      }),
    ),
  },
  "download-leads-to-every-artifact": {
    title: "Every platform and architecture redirects to the address of its first artifact",
    section: "release contract, GET /api/v1/download/{platform}/{architecture}; convention 7",
    run: checkEachLatest(async ({ channel, artifacts }, server) => {
      const seen = new Set<string>();
      await expectEach(artifacts, async ({ platform, architecture, url }) => {
        const path = `${platform}/${encodeURIComponent(architecture)}`;
        if (!DISTRIBUTION_PLATFORMS.some((name) => name === platform) || seen.has(path)) return;
        seen.add(path);
        const response = await server.api.get(`/api/v1/download/${path}?channel=${channel}`);
        expectRedirect(response, url);
      });
    }),
  },
  "download-is-the-direct-artifact": {
    title: "Of a direct package and a store bundle of one architecture the direct one is served",
    section: "release contract, GET /api/v1/download/{platform}/{architecture}: several artifacts",
    async run(server) {
      const releases = await server.latestOfEach();
      const bundles = releases.flatMap(({ channel, artifacts }) =>
        artifacts
          .filter(({ distribution }) => distribution === "play")
          .map(({ platform, architecture }) => ({
            path: `/api/v1/download/${platform}/${encodeURIComponent(architecture)}?channel=${channel}`,
            direct: artifacts
              .filter((item) => item.platform === platform && item.architecture === architecture)
              .filter((item) => item.distribution === "direct")
              .map(({ url }) => url),
          })),
      );
      const testable = bundles.filter(({ direct }) => direct.length > 0);
      const reason = "No latest release has a direct and a store artifact of one kind";
      skipUnless(testable.length > 0, reason);
      await expectEach(testable, async ({ path, direct }) => {
        const response = await server.api.get(path);
        const location = expectAbsoluteRedirect(response);
        if (direct.includes(location)) return;
        fail(response, `one of ${direct.join(", ")}`, location);
      });
    },
  },
  "download-refuses-unknown-platforms": {
    title: "A download for any but the four platforms is 404 platform_not_supported",
    section: "release contract, Errors: platform_not_supported; DistributionPlatform",
    async run({ api }) {
      const paths = ["ios", "web", "amiga", "Android", "linux%20", "__proto__"].flatMap(
        (platform) => [`/api/v1/download/${platform}`, `/api/v1/download/${platform}/universal`],
      );
      await expectErrorAt(api, "platform_not_supported", paths);
    },
  },
  "download-refuses-unknown-architectures": {
    title: "An architecture the release does not have, letter for letter, is artifact_not_found",
    section: "release contract, Errors: artifact_not_found; Trellis decision: architecture match",
    async run(server) {
      const architectures = [
        "no-such-architecture",
        "X64",
        "x64%20",
        "Universal",
        "x%252064",
        "a%2Fb",
      ];
      await expectEach(await server.latestOfEach(), async ({ channel, artifacts }) => {
        const held = new Set(artifacts.map(({ architecture }) => encodeURIComponent(architecture)));
        const paths = DISTRIBUTION_PLATFORMS.flatMap((platform) =>
          architectures
            .filter((text) => !held.has(text))
            .map((text) => `/api/v1/download/${platform}/${text}?channel=${channel}`),
        );
        await expectErrorAt(server.api, "artifact_not_found", paths);
      });
    },
  },
  "download-checks-in-order": {
    title: "A download checks the platform, then the channel, then the artifact",
    section: "Trellis decision, release service: order of checks",
    run: ({ api }) =>
      expectErrorsAt(api, {
        "/api/v1/download/amiga?channel=nightly": "platform_not_supported",
        "/api/v1/download/amiga/no-such-architecture?channel=nightly": "platform_not_supported",
        "/api/v1/download/linux/no-such-architecture?channel=nightly": "invalid_channel",
      }),
  },
  "download-redirects-are-kept-for-minutes": {
    title: "A redirect to an artifact may be kept as long as the latest release",
    section: "Trellis decision, release service: Cache-Control of the download redirects",
    async run(server) {
      let redirects = 0;
      for (const { channel } of await server.latestOfEach()) {
        for (const platform of DISTRIBUTION_PLATFORMS) {
          const response = await server.api.get(`/api/v1/download/${platform}?channel=${channel}`);
          if (response.status !== 302) continue;
          redirects += 1;
          expectHeader(response, "Cache-Control", CACHE.current);
        }
      }
      skipUnless(redirects > 0, "No platform has a download to redirect to");
    },
  },
  "legacy-entry-redirects-permanently": {
    title: "The legacy entry point answers 308 to the smart-download origin, kept for a day",
    section: "release contract, GET /download; Versioning; Trellis decision: its Cache-Control",
    async run(server) {
      const response = await server.api.get("/download");
      const location = expectAbsoluteRedirect(response, 308);
      expectHeader(response, "Cache-Control", CACHE.legacy);
      const { smartDownloadUrl, publicSmartDownloadUrl = smartDownloadUrl } = server.input;
      if (publicSmartDownloadUrl === undefined) return;
      const home = `${publicSmartDownloadUrl.replace(/\/$/, "")}/`;
      if (location !== home && `${location}/` !== home) {
        fail(response, `Location: ${home}`, location);
      }
    },
  },
  "legacy-entry-keeps-the-query": {
    title: "The legacy redirect carries the query exactly as it came",
    section: "release contract, GET /download: preserves the query string",
    async run({ api }) {
      const queries = [
        "platform=linux&arch=x64&channel=beta",
        "channel=nightly",
        "b=2&a=1&b=3",
        "arch=a%2Fb%20c+d&platform=LINUX",
        "x=%7e%7E&&y&=z;w='!*()'",
        "broken=%zz&platform=macos",
        "?",
        "",
      ].map((query) => `?${query}`);
      await expectEach([...queries, ""], async (query) => {
        const response = await api.get(`/download${query}`);
        const location = expectAbsoluteRedirect(response, 308);
        const mark = location.indexOf("?");
        expectSame(response, "query", mark < 0 ? "" : location.slice(mark), query);
      });
    },
  },
});
