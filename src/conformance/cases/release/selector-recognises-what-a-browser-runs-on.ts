import { expectEach } from "../../expect.ts";
import { askSelector, expectDownloadRoute } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0";

const AGENTS: readonly [route: string, userAgent: string][] = [
  ["windows/x64", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`],
  [
    "windows/x64",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/138.0.0.0`,
  ],
  [
    "windows/x64",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  ],
  ["windows/x64", "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko"],
  [
    "windows/x64",
    "Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621.2506",
  ],
  ["macos/universal", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`],
  [
    "macos/universal",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  [
    "macos/universal",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
  ],
  ["linux/x64", `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`],
  ["linux/x64", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["linux/x64", "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["linux/x64", "Mozilla/5.0 (Wayland; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"],
  ["android/universal", `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ["android/universal", "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
  [
    "android/universal",
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ["android/universal", "Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230805.001)"],
];

export const selectorRecognisesWhatABrowserRunsOn: ReleaseCase = {
  id: "selector-recognises-what-a-browser-runs-on",
  title: "Browsers on the four platforms get their platform, Android before Linux",
  section: "Trellis decision, release service: User-Agent detection",
  async run(target) {
    await expectEach(AGENTS, async ([route, userAgent]) => {
      expectDownloadRoute(target, await askSelector(target, "", userAgent), route);
    });
  },
};
