import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../../test/fixtures/any-code-point.ts";
import { DISTRIBUTION_PLATFORMS } from "../../contract/release/values.ts";
import { detectPlatform, MAX_USER_AGENT_LENGTH } from "./detect-platform.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const agents = {
  android: [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36`,
    "Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0",
    `Mozilla/5.0 (Linux; Android 13; SM-X700) ${WEBKIT} SamsungBrowser/24.0 Chrome/117.0.0.0 Safari/537.36`,
    "Dalvik/2.1.0 (Linux; U; Android 12; Pixel 5 Build/SP1A)",
    `Mozilla/5.0 (Linux; Android 9; CUBOT X19) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36`,
  ],
  windows: [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0`,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.19045; en-US) WindowsPowerShell/5.1.19041",
  ],
  macos: [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:125.0) Gecko/20100101 Firefox/125.0",
  ],
  linux: [
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (Wayland; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (Fedora; Linux x86_64) Epiphany/46",
  ],
  none: [
    "",
    "   ",
    "Mozilla/5.0",
    "Linux",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)`,
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (compatible; bingbot/2.0)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (Macintosh) SkypeUriPreview Preview/0.5",
    "WhatsApp/2.23.20 A",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "curl/8.5.0",
    "Wget/1.21.4",
    "okhttp/4.12.0",
    "python-requests/2.31.0",
    "Python/3.12 aiohttp/3.9",
    "Go-http-client/2.0",
    "axios/1.6.8",
    "node",
    "node-fetch/1.0",
    "Habits/42 CFNetwork/1494.0.7 Darwin/23.4.0",
    "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) Edge/15",
    "Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) Edge/44",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 CriOS/124.0 Safari/604.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 FxiOS/125.0 Safari/604.1",
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
    `Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) ${WEBKIT} Version/7.0 TV Safari/537.36`,
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${WEBKIT} Chrome/94.0 Safari/537.36`,
    "Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
    "Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 ArkWeb/4.1 Mobile",
    `Mozilla/5.0 (X11; Linux x86_64; Quest 3) ${WEBKIT} OculusBrowser/33.0 Chrome/124.0 VR Safari/537.36`,
    "Mozilla/5.0 (X11; FreeBSD amd64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (X11; OpenBSD amd64; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (PlayStation 5/SmartTV) AppleWebKit/605.1.15",
  ],
} as const;

for (const [platform, list] of Object.entries(agents)) {
  for (const agent of list) {
    test(`${platform}: ${agent.slice(0, 90)}`, () => {
      assert.equal(detectPlatform(agent), platform === "none" ? null : platform);
    });
  }
}

test("spaces around an agent change nothing", () => {
  assert.equal(detectPlatform(`  ${agents.windows[0]}  `), "windows");
});

test("an agent that is too long has no platform", () => {
  const agent = agents.linux[0].padEnd(MAX_USER_AGENT_LENGTH, "x");
  assert.equal(detectPlatform(agent), "linux");
  assert.equal(detectPlatform(`${agent}x`), null);
});

test("any text has a platform or none, quickly", () => {
  const known = new Set<string | null>([...DISTRIBUTION_PLATFORMS, null]);
  fc.assert(
    fc.property(fc.string({ maxLength: 2000, unit: anyCodePoint }), (agent) => {
      assert.ok(known.has(detectPlatform(agent)));
    }),
  );
  const startedAt = performance.now();
  for (const part of ["bot", "cu", "Linux ", "(", "-"]) detectPlatform(part.repeat(160));
  assert.ok(performance.now() - startedAt < 50);
});
