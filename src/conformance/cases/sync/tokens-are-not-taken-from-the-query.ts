import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const tokensAreNotTakenFromTheQuery: SyncCase = {
  id: "tokens-are-not-taken-from-the-query",
  title: "A token in the query is a parameter that no route takes",
  section: "sync contract, Authentication 5: bearer; General request rules 2",
  async run(target) {
    const { accessToken } = (await target.device()).tokens;
    const path = `/v1/device?access_token=${accessToken}`;
    expectError(await target.api.get(path), "invalid_request");
  },
};
