import { expectHeader, JSON_CONTENT_TYPE, readJson } from "../../expect.ts";
import { expectOfEveryResponse } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const jsonAnswersNameTheirContentType: ReleaseCase = {
  id: "json-answers-name-their-content-type",
  title: "Every body is UTF-8 JSON and says so in exactly one way, errors included",
  section: "release contract, What the service does: convention 1",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      if (answer.status === 204 || (answer.status >= 300 && answer.status < 400)) return;
      expectHeader(answer, "Content-Type", JSON_CONTENT_TYPE);
      readJson(answer);
    });
  },
};
