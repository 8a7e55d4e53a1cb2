import { NotTestable } from "../../case.ts";
import { expectEach, violate } from "../../expect.ts";
import { askPreflight, allowsInBrowser } from "../../every-service/preflight.ts";
import type { SyncCase } from "../../sync/target.ts";

export const preflightAllowsNothingElse: SyncCase = {
  id: "preflight-allows-nothing-else",
  title: "A preflight for another method or another header is no yes",
  section:
    "sync contract, Authentication 7: preflights allow only the documented methods and headers",
  async run(target) {
    const { corsOrigin } = target.input;
    if (corsOrigin === undefined) {
      throw new NotTestable("No configured origin is known; name one with --cors-origin");
    }
    const questions = [
      ["/v1/push", "PUT", []],
      ["/v1/health", "DELETE", []],
      ["/v1/push", "POST", ["authorization", "x-other"]],
      ["/v1/pull", "GET", ["cookie"]],
    ] as const;
    await expectEach(questions, async ([path, method, headers]) => {
      const answer = await askPreflight(target, corsOrigin, path, method, headers);
      if (!allowsInBrowser(answer, corsOrigin, method, headers)) return;
      violate(answer.asked, "a preflight that browsers take for a no", `status ${answer.status}`);
    });
  },
};
