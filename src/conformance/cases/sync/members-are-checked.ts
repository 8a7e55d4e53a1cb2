import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { expectAlive } from "../../sync/device.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const membersAreChecked: SyncCase = {
  id: "members-are-checked",
  title: "A missing member, or one of another type, is invalid_request on every route",
  section: "Trellis decision, sync service: invalid_request",
  async run(target) {
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      const bodies = Object.keys(route.harmless).flatMap((name) => {
        const { [name]: _member, ...rest } = route.harmless;
        // POST /v1/revoke works without its only member.
        const missing = name === "scope" ? [] : [rest];
        return [
          ...missing,
          { ...rest, [name]: 7 },
          { ...rest, [name]: null },
          { ...rest, [name]: {} },
        ];
      });
      await expectEach(bodies, async (body) => {
        const answer = await target.api.send("POST", route.path, headers, JSON.stringify(body));
        expectError(answer, "invalid_request");
      });
    });
    await expectAlive(await target.device());
  },
};
