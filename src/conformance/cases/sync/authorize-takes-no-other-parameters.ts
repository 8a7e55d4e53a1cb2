import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { pagePath } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

const OTHERS = [
  { code_challenge_method: "S256" },
  { client_id: "app" },
  { scope: "sync" },
  { State: "state-of-conformance" },
];

export const authorizeTakesNoOtherParameters: SyncCase = {
  id: "authorize-takes-no-other-parameters",
  title: "GET /v1/authorize accepts exactly its parameters",
  section: "sync contract, GET /v1/authorize: exactly these query parameters",
  async run(target) {
    await expectEach(OTHERS, async (other) => {
      expectError(await target.api.get(pagePath(target, other)), "invalid_authorization_request");
    });
  },
};
