import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { pageQuery, pathOfQuery } from "../../sync/login-page.ts";
import { AUTHORIZE } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const authorizeNeedsItsParameters: SyncCase = {
  id: "authorize-needs-its-parameters",
  title: "A missing parameter of GET /v1/authorize is invalid_authorization_request",
  section: "sync contract, GET /v1/authorize; Trellis decision, sync service: its code",
  async run(target) {
    await expectEach(Object.keys(pageQuery(target)), async (name) => {
      const { [name]: _missing, ...rest } = pageQuery(target);
      expectError(await target.api.get(pathOfQuery(rest)), "invalid_authorization_request");
    });
    expectError(await target.api.get(AUTHORIZE), "invalid_authorization_request");
  },
};
