import { expectSame } from "../../expect.ts";
import { expectAnyError } from "../../sync/bodies.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const errorBodiesRepeatTheRequestId: SyncCase = {
  id: "error-bodies-repeat-the-request-id",
  title: "The requestId of an error is the X-Request-Id of its answer",
  section: "sync contract, Errors: the envelope",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      const isEnvelope = answer.header("Content-Type")?.startsWith("application/json") === true;
      if (answer.status < 400 || !isEnvelope) return;
      expectSame(
        answer,
        "requestId",
        expectAnyError(answer).requestId,
        answer.header("X-Request-Id"),
      );
    });
  },
};
