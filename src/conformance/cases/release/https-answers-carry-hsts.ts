import { NotTestable } from "../../case.ts";
import { expectHeaderMatch } from "../../expect.ts";
import { expectOfEveryAnswer } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const httpsAnswersCarryHsts: ReleaseCase = {
  id: "https-answers-carry-hsts",
  title: "A server whose base URL is https tells browsers never to use plain http",
  section: "Trellis decision, release service: HSTS when the base URL is https",
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
