import { expectEach, expectHeader } from "../../expect.ts";
import { expectAnyError } from "../../release/bodies.ts";
import { samplePaths } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const errorBodiesRepeatTheRequestId: ReleaseCase = {
  id: "error-bodies-repeat-the-request-id",
  title: "The requestId of an error body is the answer's X-Request-Id",
  section: "release contract, ErrorResponse: error.requestId; Trellis decision: requestId",
  async run(target) {
    await expectEach(await samplePaths(target), async ({ origin, path }) => {
      const answer = await origin.get(path);
      if (answer.status < 400) return;
      expectHeader(answer, "X-Request-Id", expectAnyError(answer).error.requestId);
    });
  },
};
