import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { expectAlive } from "../../sync/device.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import { newAttempt, postAuthorize } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const unknownMembersAreRefused: SyncCase = {
  id: "unknown-members-are-refused",
  title: "A member that a body does not have is invalid_request on every route",
  section: "sync contract, General request rules 2: unknown fields",
  async run(target) {
    const { attempt } = await newAttempt(target);
    const beginning = { action: "begin", csrf: attempt.state, attempt, extra: 1 };
    expectError(await postAuthorize(target, beginning, attempt.state), "invalid_request");
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      const body = JSON.stringify({ ...route.harmless, extra: 1 });
      expectError(await target.api.send("POST", route.path, headers, body), "invalid_request");
    });
    await expectAlive(await target.device());
  },
};
