import { expectOfEveryResponse } from "../../release/paths.ts";
import { expectHsts } from "../../every-service/https-answers-carry-hsts.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const httpsAnswersCarryHsts: ReleaseCase = {
  id: "https-answers-carry-hsts",
  title: "A server whose base URL is https tells browsers never to use plain http",
  section: "Trellis decision, release service: HSTS when the base URL is https",
  run: (target) =>
    expectHsts({
      publicUrl: target.publicUrl,
      expectOfEach: (check) => expectOfEveryResponse(target, check),
    }),
};
