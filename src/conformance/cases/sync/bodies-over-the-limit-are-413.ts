import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { JSON_BODY } from "../../sync/device.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const bodiesOverTheLimitAre413: SyncCase = {
  id: "bodies-over-the-limit-are-413",
  title: "A body of the limit is read, a longer one is 413, whether or not it says its length",
  section: "sync contract, Limits: maximum request body; Errors 4",
  async run(target) {
    const { maxBodyBytes } = await target.limits();
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      const tooLong = JSON.stringify(route.harmless).padEnd(maxBodyBytes + 1);
      const chunked = { ...headers, "Transfer-Encoding": "chunked" };
      expectError(await target.api.send("POST", route.path, headers, tooLong), "payload_too_large");
      expectError(await target.api.send("POST", route.path, chunked, tooLong), "payload_too_large");
    });
    const refresh = JSON.stringify({ grantType: "refresh_token", refreshToken: "none" });
    const longest = refresh.padEnd(maxBodyBytes);
    expectError(
      await target.api.send("POST", "/v1/refresh", JSON_BODY, longest),
      "invalid_refresh_token",
    );
    const chunked = { ...JSON_BODY, "Transfer-Encoding": "chunked" };
    expectError(
      await target.api.send("POST", "/v1/refresh", chunked, longest),
      "invalid_refresh_token",
    );
  },
};
