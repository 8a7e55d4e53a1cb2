import { pagePath, expectPagePolicy } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

export const loginPageHasExactlyItsPolicy: SyncCase = {
  id: "login-page-has-exactly-its-policy",
  title:
    "The page's Content-Security-Policy allows its own script and style by nonce, and nothing else",
  section: "sync contract, Authentication 9",
  async run(target) {
    expectPagePolicy(await target.api.get(pagePath(target)));
    expectPagePolicy(await target.api.get(pagePath(target, { lang: "de" })));
  },
};
