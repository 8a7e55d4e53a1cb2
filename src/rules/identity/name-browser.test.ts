import assert from "node:assert/strict";
import { test } from "node:test";
import { nameBrowser } from "./name-browser.ts";

const LIKE_GECKO = "AppleWebKit/537.36 (KHTML, like Gecko)";
const LIKE_WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

const AGENTS: readonly [agent: string, browser: string | null, system: string | null][] = [
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${LIKE_GECKO} Chrome/142.0.0.0 Safari/537.36`,
    "Chrome",
    "Windows",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${LIKE_GECKO} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    "Edge",
    "Windows",
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${LIKE_WEBKIT} Version/26.0 Safari/605.1.15`,
    "Safari",
    "macOS",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${LIKE_WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iPhone",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${LIKE_WEBKIT} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    "Firefox",
    "iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${LIKE_GECKO} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${LIKE_GECKO} Chrome/142.0.0.0 Safari/537.36`,
    "Chrome",
    "ChromeOS",
  ],
  ["curl/8.17.0", null, null],
  ["<b>Firefox</b>", null, null],
];

test("a browser and its system are known by their User-Agent", () => {
  for (const [agent, browser, system] of AGENTS) {
    assert.deepEqual(nameBrowser(agent), { browser, system }, agent);
  }
  assert.deepEqual(nameBrowser(null), { browser: null, system: null });
});
