import { expectOfEveryResponse } from "../../sync/routes.ts";
import { expectHsts } from "../../every-service/https-answers-carry-hsts.ts";
import type { SyncCase } from "../../sync/target.ts";

export const httpsAnswersCarryHsts: SyncCase = {
  id: "https-answers-carry-hsts",
  title: "A server whose base URL is https tells browsers never to use plain http",
  section: "sync contract, Authentication 8: HSTS",
  run: (target) =>
    expectHsts({
      publicUrl: target.publicUrl,
      expectOfEach: (check) => expectOfEveryResponse(target, check),
    }),
};
