import { violate } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { pagePath, expectHtml, expectLanguage, expectPagePolicy } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

export const authorizeErrorsAreForPeopleToo: SyncCase = {
  id: "authorize-errors-are-for-people-too",
  title:
    "A browser gets an error of GET /v1/authorize as a page with status, code and request id; others get JSON",
  section: "Trellis decision, sync service: errors of GET /v1/authorize",
  async run(target) {
    const { api } = target;
    const wrong = pagePath(target, { redirect_uri: "https://elsewhere.example/callback" });
    expectError(await api.get(wrong), "invalid_authorization_request");
    expectError(
      await api.get(wrong, { Accept: "application/json" }),
      "invalid_authorization_request",
    );
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const answer = await api.get(wrong, { Accept: accept });
    const page = expectHtml(answer, 400);
    for (const part of [
      "invalid_authorization_request",
      answer.header("X-Request-Id") ?? "an id",
    ]) {
      if (!page.includes(part)) violate(answer.asked, `a page with ${part}`, "one without");
    }
    expectPagePolicy(answer);
    expectLanguage(await api.get(wrong, { Accept: accept, "Accept-Language": "de" }), "de", 400);
    expectLanguage(await api.get(wrong, { Accept: accept, "Accept-Language": "en" }), "en", 400);
  },
};
