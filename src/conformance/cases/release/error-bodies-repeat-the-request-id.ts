import { expectHeader } from "../../expect.ts";
import { expectAnyError } from "../../release/bodies.ts";
import { expectOfEveryResponse } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const errorBodiesRepeatTheRequestId: ReleaseCase = {
  id: "error-bodies-repeat-the-request-id",
  title: "The requestId of an error body is the answer's X-Request-Id",
  section: "release contract, ErrorResponse: error.requestId; Trellis decision: requestId",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      if (answer.status < 400) return;
      expectHeader(answer, "X-Request-Id", expectAnyError(answer).error.requestId);
    });
  },
};
