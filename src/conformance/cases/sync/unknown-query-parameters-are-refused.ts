import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { POST_ROUTES, PUBLIC_PATHS, PROTECTED_PATHS, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const unknownQueryParametersAreRefused: SyncCase = {
  id: "unknown-query-parameters-are-refused",
  title: "A query parameter that a route does not take is 400",
  section:
    "sync contract, General request rules 2; Trellis decision, sync service: query parameters",
  async run(target) {
    const { api } = target;
    const paths = [...PUBLIC_PATHS, ...PROTECTED_PATHS].map((path) => `${path}?cache=1`);
    await expectEach([...paths, "/v1/pull?limit=1&Cursor=x", "/v1/health?=x"], async (path) => {
      expectError(await (await target.device()).get(path), "invalid_request");
    });
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      const body = JSON.stringify(route.harmless);
      expectError(await api.send("POST", `${route.path}?x=1`, headers, body), "invalid_request");
    });
    expectError(await api.send("DELETE", "/v1/device?x=1"), "invalid_request");
  },
};
