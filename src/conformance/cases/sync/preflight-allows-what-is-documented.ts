import { NotTestable } from "../../case.ts";
import { expectEach, expectNoBody, expectStatus, violate, describeAnswer } from "../../expect.ts";
import { askPreflight, allowsInBrowser } from "../../every-service/preflight.ts";
import type { SyncCase } from "../../sync/target.ts";

export const preflightAllowsWhatIsDocumented: SyncCase = {
  id: "preflight-allows-what-is-documented",
  title:
    "A configured origin's preflight allows the methods of the path and the documented headers",
  section: "sync contract, Authentication 7: preflights",
  async run(target) {
    const { corsOrigin } = target.input;
    if (corsOrigin === undefined) {
      throw new NotTestable("No configured origin is known; name one with --cors-origin");
    }
    const questions = [
      ["/v1/push", "POST", ["authorization", "content-type"]],
      ["/v1/pull", "GET", ["authorization", "x-request-id"]],
      ["/v1/device", "DELETE", ["authorization"]],
      ["/v1/authorize", "POST", ["content-type", target.csrfHeader.toLowerCase()]],
    ] as const;
    await expectEach(questions, async ([path, method, headers]) => {
      const answer = await askPreflight(target, corsOrigin, path, method, headers);
      expectStatus(answer, 204);
      expectNoBody(answer);
      if (allowsInBrowser(answer, corsOrigin, method, headers)) return;
      violate(answer.asked, "a preflight that browsers take for a yes", describeAnswer(answer));
    });
  },
};
