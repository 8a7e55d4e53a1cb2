import { NotTestable } from "../../case.ts";
import { expectHeaderMatch } from "../../expect.ts";
import { expectOfEveryAnswer } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const httpsAnswersCarryHsts: SyncCase = {
  id: "https-answers-carry-hsts",
  title: "A server whose base URL is https tells browsers never to use plain http",
  section: "sync contract, Authentication 8: HSTS",
  async run(target) {
    if (!target.publicUrl.startsWith("https:")) {
      throw new NotTestable("The base URL is plain http; give the https one with --public-url");
    }
    await expectOfEveryAnswer(target, (answer) => {
      expectHeaderMatch(
        answer,
        "Strict-Transport-Security",
        /(?:^|;\s*)max-age=[1-9][0-9]*/i,
        "a positive max-age",
      );
    });
  },
};
