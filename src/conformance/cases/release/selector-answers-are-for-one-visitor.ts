import { CACHE } from "../../../contract/release/routes.ts";
import { expectEach, expectHeader, expectHeaderMatch, expectStatus } from "../../expect.ts";
import { askSelector, LINUX_BROWSER } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const QUESTIONS = [
  { query: "", userAgent: LINUX_BROWSER },
  { query: "", userAgent: "curl/8.14.1" },
  { query: "platform=windows", userAgent: LINUX_BROWSER },
];

export const selectorAnswersAreForOneVisitor: ReleaseCase = {
  id: "selector-answers-are-for-one-visitor",
  title: "No cache may give one visitor's choice to another",
  section: "Trellis decision, release service: Cache-Control and Vary of the selector",
  async run(target) {
    await expectEach(QUESTIONS, async ({ query, userAgent }) => {
      const answer = await askSelector(target, query, userAgent);
      expectStatus(answer, 302);
      expectHeader(answer, "Cache-Control", CACHE.perVisitor);
      expectHeaderMatch(answer, "Vary", /(?:^|,)\s*user-agent\s*(?:,|$)/i, "User-Agent");
    });
  },
};
