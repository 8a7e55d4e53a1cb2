import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const bodiesMustBeObjects: SyncCase = {
  id: "bodies-must-be-objects",
  title: "A body that is JSON but no object is invalid_request",
  section: "Trellis decision, sync service: invalid_request",
  async run(target) {
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      await expectEach(["null", "[]", "1", '"text"', "true"], async (body) => {
        const answer = await target.api.send("POST", route.path, headers, body);
        expectError(answer, "invalid_request");
      });
    });
  },
};
