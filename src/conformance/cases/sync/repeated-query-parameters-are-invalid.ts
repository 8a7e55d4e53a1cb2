import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { pageQuery, pagePath } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

export const repeatedQueryParametersAreInvalid: SyncCase = {
  id: "repeated-query-parameters-are-invalid",
  title: "A query parameter that comes twice is an invalid value of it, never the first one",
  section: "Trellis decision, shared by all services: repeated query parameters",
  async run(target) {
    const device = await target.device();
    const { cursor } = await device.pull({ limit: 1 });
    expectError(await device.get(`/v1/pull?cursor=${cursor}&cursor=${cursor}`), "invalid_cursor");
    expectError(await device.get("/v1/pull?limit=1&limit=1"), "invalid_request");
    await expectEach(Object.entries(pageQuery(target)), async ([name, value]) => {
      const path = `${pagePath(target)}&${name}=${encodeURIComponent(value)}`;
      expectError(await target.api.get(path), "invalid_authorization_request");
    });
  },
};
