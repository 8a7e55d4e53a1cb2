import { violate } from "../../expect.ts";
import { pagePath, expectHtml, expectPagePolicy } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

export const loginPageNonceDiffersPerResponse: SyncCase = {
  id: "login-page-nonce-differs-per-response",
  title: "Every response has a nonce of its own, and its script and style carry it",
  section: "sync contract, GET /v1/authorize: per-response nonce",
  async run(target) {
    const nonces = new Set<string>();
    for (let count = 0; count < 3; count++) {
      const answer = await target.api.get(pagePath(target));
      const nonce = expectPagePolicy(answer);
      if (nonces.has(nonce)) violate(answer.asked, "a nonce that was not used before", nonce);
      nonces.add(nonce);
      const page = expectHtml(answer, 200);
      for (const [tag] of page.matchAll(/<(?:script|style)\b[^>]*>/gi)) {
        if (!tag.includes(`nonce="${nonce}"`)) violate(answer.asked, `nonce="${nonce}"`, tag);
      }
    }
  },
};
