import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const everyAnswerAllowsAnyOrigin: ReleaseCase = {
  id: "every-answer-allows-any-origin",
  title: "Any website may read every answer, whether or not the request names an origin",
  section: "Trellis decision, release service: CORS",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeader(answer, "Access-Control-Allow-Origin", "*");
    });
    const asked = await target.api.get("/health", { Origin: "https://app.example.org" });
    expectHeader(asked, "Access-Control-Allow-Origin", "*");
    expectHeader(asked, "Access-Control-Allow-Credentials", undefined);
  },
};
