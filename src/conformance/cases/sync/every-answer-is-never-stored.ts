import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerIsNeverStored: SyncCase = {
  id: "every-answer-is-never-stored",
  title: "Every answer tells caches to keep nothing",
  section: "sync contract, Authentication 8: no-store",
  async run(target) {
    await expectOfEveryResponse(target, (answer) =>
      expectHeader(answer, "Cache-Control", "no-store"),
    );
  },
};
