import { decodeComponent } from "../../../src/contract/parse-query.ts";
import { CACHE } from "../../../src/contract/release/routes.ts";
import {
  DEFAULT_ARCHITECTURES,
  DISTRIBUTION_PLATFORMS,
} from "../../../src/contract/release/values.ts";
import { chooseArtifact } from "../../../src/rules/release/choose-artifact.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectHeader, expectHeaderMatch, expectStatus, fail } from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import {
  expectAbsoluteRedirect,
  expectError,
  expectErrorAt,
  expectErrors,
  expectRedirect,
} from "../expectations.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const IPAD =
  "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const LINUX_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const MAX_AGENT_LENGTH = 512;

const AGENTS_BY_ROUTE: Readonly<Record<string, readonly string[]>> = {
  "windows/x64": [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/138.0.0.0`,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko",
    "Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621.2506",
  ],
  "macos/universal": [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`,
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
  ],
  "linux/x64": [
    `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`,
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Wayland; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
  ],
  "android/universal": [
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
    "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230805.001)",
  ],
};

export const SELECTOR_CASES = releaseCases({
  "selector-leads-to-the-download-route": {
    title: "A platform leads to its download route with the default or the asked architecture",
    section: "release contract, GET {smart_download_url}/: redirect target shape, arch",
    run: (server) =>
      expectEach(DISTRIBUTION_PLATFORMS, async (platform) => {
        const byDefault = await askSelector(server, `platform=${platform}`);
        expectDownloadRoute(server, byDefault, `${platform}/${DEFAULT_ARCHITECTURES[platform]}`);
        // The selector reads no release, so it also redirects to an architecture that none has.
        const named = await askSelector(server, `arch=riscv64&platform=${platform}`);
        expectDownloadRoute(server, named, `${platform}/riscv64`);
      }),
  },
  "selector-channel-is-kept-when-beta": {
    title: "beta is appended, stable is not, and another channel is 400 invalid_channel",
    section: "release contract, GET {smart_download_url}/: channel; Trellis decision: selector 400",
    async run(server) {
      const wrong = [
        "channel=nightly",
        "channel=",
        "channel=Beta",
        "channel=%zz",
        "channel=beta&channel=beta",
        // The selector checks the channel first.
        "platform=amiga&arch=..&channel=nightly",
      ];
      const beta = await askSelector(server, "platform=linux&channel=beta");
      expectDownloadRoute(server, beta, "linux/x64?channel=beta");
      const stable = await askSelector(server, "channel=stable&platform=linux");
      expectDownloadRoute(server, stable, "linux/x64");
      await expectErrors("invalid_channel", wrong, (query) =>
        askSelector(server, query, LINUX_BROWSER),
      );
    },
  },
  "selector-platform-overrides-detection": {
    title: "A valid platform overrides the User-Agent; an invalid or repeated one does not",
    section: "release contract, GET {smart_download_url}/: platform; Trellis decision: not valid",
    async run(server) {
      const invalid = [
        "platform=",
        "platform=ios",
        "platform=Windows",
        "platform=windows%20",
        "platform=%zz",
        "platform=windows&platform=windows",
        "platform=windows&platform=macos",
      ];
      const overridden = await askSelector(server, "platform=macos", LINUX_BROWSER);
      expectDownloadRoute(server, overridden, "macos/universal");
      await expectEach(invalid, async (query) => {
        expectDownloadRoute(server, await askSelector(server, query, LINUX_BROWSER), "linux/x64");
        expectWebsite(server, await askSelector(server, query));
      });
    },
  },
  "selector-architecture-is-one-segment": {
    title:
      "An architecture becomes one encoded path segment; empty, repeated or dots count as absent",
    section: "release contract, GET {smart_download_url}/: arch; Trellis decision: arch",
    async run(server) {
      const absent = [
        "arch=",
        "arch=.",
        "arch=..",
        "arch=%2E%2E",
        "arch=x64&arch=arm64",
        "arch=%zz",
        "arch",
      ];
      const encoded = [
        "a/b",
        "../../health",
        "x 64",
        "a?b=c",
        "a#b",
        "a%b",
        "%2F",
        "ä",
        "x+64",
        "a\\b",
      ];
      await expectEach(absent, async (query) => {
        const response = await askSelector(server, `platform=linux&${query}`);
        expectDownloadRoute(server, response, "linux/x64");
      });
      const route = `${server.publicUrl}/api/v1/download/linux/`;
      await expectEach(encoded, async (architecture) => {
        const query = `platform=linux&arch=${encodeURIComponent(architecture)}`;
        const response = await askSelector(server, query);
        const location = expectAbsoluteRedirect(response);
        const segment = location.slice(route.length);
        const isOneSegment = location.startsWith(route) && !/[/?#\\ ]/.test(segment);
        if (!isOneSegment || decodeComponent(segment) !== architecture) {
          fail(response, `Location: ${route}${encodeURIComponent(architecture)}`, location);
        }
      });
    },
  },
  "selector-recognises-what-a-browser-runs-on": {
    title: "Browsers on the four platforms get their platform, Android before Linux",
    section: "Trellis decision, release service: User-Agent detection",
    async run(server) {
      await expectEach(Object.entries(AGENTS_BY_ROUTE), ([route, agents]) =>
        expectEach(agents, async (userAgent) =>
          expectDownloadRoute(server, await askSelector(server, "", userAgent), route),
        ),
      );
    },
  },
  "selector-sends-apple-mobiles-to-the-website": {
    title: "iPhones and iPads never get a program for the Mac, although they say Mac OS X",
    section: "Trellis decision, release service: User-Agent detection",
    run: (server) =>
      expectWebsiteFor(server, [
        `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`,
        `${IPHONE} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`,
        `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
        `${IPHONE} EdgiOS/138.0.3351.55 Version/18.0 Mobile/15E148 Safari/604.1`,
        `${IPAD} Version/18.5 Mobile/15E148 Safari/604.1`,
        "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
        // Chrome on an iPad that requests desktop pages.
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138 Version/16.5 Safari/605.1.15",
      ]),
  },
  "selector-sends-robots-and-tools-to-the-website": {
    title: "Crawlers, link previews and command-line tools are sent to the website",
    section: "Trellis decision, release service: User-Agent detection",
    run: (server) =>
      expectWebsiteFor(server, [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "Twitterbot/1.0",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "WhatsApp/2.23.20.0 A",
        "curl/8.14.1",
        "Wget/1.25.0 (linux-gnu)",
        "okhttp/4.12.0",
        "python-requests/2.32.4",
        "Go-http-client/2.0",
        "axios/1.10.0",
        "node",
        "Habits/12 CFNetwork/3826.500.111 Darwin/24.4.0",
      ]),
  },
  "selector-sends-other-devices-to-the-website": {
    title: "Televisions, consoles, headsets, Chromebooks and other systems are sent to the website",
    section: "Trellis decision, release service: User-Agent detection",
    run: (server) =>
      expectWebsiteFor(server, [
        "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063",
        "Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch; NOKIA; Lumia 920)",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edge/44.18363.8131",
        `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
        "Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36",
        "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager",
        "Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
        "Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile",
        "Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/38.0 Chrome/134.0.0.0 VR Safari/537.36",
        `Mozilla/5.0 (X11; FreeBSD amd64) ${CHROME} Safari/537.36`,
        "Mozilla/5.0 (X11; OpenBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0",
        // Linux without a desktop.
        "Mozilla/5.0 (Linux) AppleWebKit/537.36 (KHTML, like Gecko)",
      ]),
  },
  "selector-ignores-empty-and-endless-agents": {
    title: "No User-Agent, an empty one and one of over 512 characters lead to the website",
    section:
      "release contract, GET {smart_download_url}/: no platform; Trellis decision: detection",
    async run(server) {
      expectWebsite(server, await askSelector(server, ""));
      expectWebsite(server, await askSelector(server, "", ""));
      const longest = LINUX_BROWSER.padEnd(MAX_AGENT_LENGTH, "x");
      expectDownloadRoute(server, await askSelector(server, "", longest), "linux/x64");
      expectWebsite(server, await askSelector(server, "", `${longest}x`));
    },
  },
  "selector-answers-are-for-one-visitor": {
    title: "No cache may give one visitor's choice to another",
    section: "Trellis decision, release service: Cache-Control and Vary of the selector",
    async run(server) {
      const requests = [
        { query: "", userAgent: LINUX_BROWSER },
        { query: "", userAgent: "curl/8.14.1" },
        { query: "platform=windows", userAgent: LINUX_BROWSER },
      ];
      await expectEach(requests, async ({ query, userAgent }) => {
        const response = await askSelector(server, query, userAgent);
        expectStatus(response, 302);
        expectHeader(response, "Cache-Control", CACHE.perVisitor);
        expectHeaderMatch(response, "Vary", /(?:^|,)\s*user-agent\s*(?:,|$)/i, "User-Agent");
      });
    },
  },
  "selector-serves-only-its-root": {
    title: "The smart-download origin has nothing but the selector, and that answers GET and HEAD",
    section: "release contract, What the service does: the smart-download origin; convention 8",
    async run(server) {
      const paths = [
        "/health",
        "/download",
        "/api/v1/releases",
        "/api/v1/download/linux",
        "//",
        "/x",
      ];
      await expectErrorAt(server.selector(), "not_found", paths);
      expectError(await server.selector().send("POST", "/"), "not_found");
    },
  },
  "redirects-lead-to-the-artifact": {
    title: "From the legacy entry over the selector and the download route one arrives at the file",
    section: "release contract, GET /download; GET {smart_download_url}/; GET /api/v1/download",
    async run(server) {
      const selector = server.selector();
      const downloads = (await server.latestOfEach()).flatMap(({ channel, artifacts }) =>
        DISTRIBUTION_PLATFORMS.flatMap((platform) => {
          const file = chooseArtifact(artifacts, platform);
          return file === undefined ? [] : [{ channel, platform, url: file.url }];
        }),
      );
      skipUnless(downloads.length > 0, "No latest release has a default download");
      await expectEach(downloads, async ({ channel, platform, url }) => {
        const legacy = await server.api.get(`/download?platform=${platform}&channel=${channel}`);
        const query = new URL(expectAbsoluteRedirect(legacy, 308)).search;
        const chosen = await selector.get(`/${query}`);
        const route = expectAbsoluteRedirect(chosen);
        // The public URL may differ from the one that the run sends requests to.
        if (!route.startsWith(`${server.publicUrl}/`)) {
          fail(chosen, `an address at ${server.publicUrl}`, route);
        }
        expectRedirect(await server.api.get(route.slice(server.publicUrl.length)), url);
      });
    },
  },
});

function askSelector(
  server: ReleaseServerUnderTest,
  query: string,
  userAgent?: string,
): Promise<ReceivedResponse> {
  const headers = userAgent === undefined ? {} : { "User-Agent": userAgent };
  return server.selector().get(`/${query === "" ? "" : `?${query}`}`, headers);
}

/** `path` is the rest of the download route: `linux/x64`. */
function expectDownloadRoute(
  server: ReleaseServerUnderTest,
  response: ReceivedResponse,
  path: string,
): void {
  expectRedirect(response, `${server.publicUrl}/api/v1/download/${path}`);
}

function expectWebsiteFor(
  server: ReleaseServerUnderTest,
  userAgents: readonly string[],
): Promise<void> {
  return expectEach(userAgents, async (userAgent) =>
    expectWebsite(server, await askSelector(server, "", userAgent)),
  );
}

/** The website when its address is known, otherwise any address but a download. */
function expectWebsite(server: ReleaseServerUnderTest, response: ReceivedResponse): void {
  const website = server.input.websiteDownloadUrl;
  if (website !== undefined) {
    expectRedirect(response, website);
    return;
  }
  const location = expectAbsoluteRedirect(response);
  if (location.includes("/api/v1/download/")) {
    fail(response, "the website's download section", location);
  }
}
