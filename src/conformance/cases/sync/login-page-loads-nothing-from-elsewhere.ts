import { violate } from "../../expect.ts";
import { pagePath, expectHtml } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

const LOADS =
  /\b(?:src|srcset|href|action|poster|data)\s*=\s*"([^"]*)"|\burl\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/gi;
const ELSEWHERE = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\//i;

export const loginPageLoadsNothingFromElsewhere: SyncCase = {
  id: "login-page-loads-nothing-from-elsewhere",
  title: "The page has no third-party script, font, image or style",
  section: "sync contract, GET /v1/authorize: no third-party content",
  async run(target) {
    const answer = await target.api.get(pagePath(target));
    const page = expectHtml(answer, 200);
    for (const [whole, ...found] of page.matchAll(LOADS)) {
      const address = found.find((item) => item !== undefined) ?? "";
      if (ELSEWHERE.test(address)) violate(answer.asked, "nothing from elsewhere", whole);
    }
    if (/<(?:link|iframe|object|embed|img)\b/i.test(page)) {
      violate(answer.asked, "a page that loads nothing", "an element that does");
    }
  },
};
