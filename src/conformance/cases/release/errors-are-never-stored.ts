import { CACHE } from "../../../contract/release/routes.ts";
import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const errorsAreNeverStored: ReleaseCase = {
  id: "errors-are-never-stored",
  title: "No cache may keep an error answer",
  section: "Trellis decision, release service: Cache-Control of errors",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      if (answer.status >= 400) expectHeader(answer, "Cache-Control", CACHE.never);
    });
  },
};
