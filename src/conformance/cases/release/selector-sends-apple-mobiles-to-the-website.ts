import { expectEach } from "../../expect.ts";
import { askSelector, expectWebsite } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const IPAD =
  "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

const AGENTS = [
  `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`,
  `${IPHONE} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`,
  `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
  `${IPHONE} EdgiOS/138.0.3351.55 Version/18.0 Mobile/15E148 Safari/604.1`,
  `${IPAD} Version/18.5 Mobile/15E148 Safari/604.1`,
  "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  // Asks for desktop pages and so claims to be a Mac; its own name gives it away.
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138 Version/16.5 Safari/605.1.15",
];

export const selectorSendsAppleMobilesToTheWebsite: ReleaseCase = {
  id: "selector-sends-apple-mobiles-to-the-website",
  title: "iPhones and iPads never get a program for the Mac, although they say Mac OS X",
  section: "Trellis decision, release service: User-Agent detection",
  async run(target) {
    await expectEach(AGENTS, async (userAgent) => {
      expectWebsite(target, await askSelector(target, "", userAgent));
    });
  },
};
