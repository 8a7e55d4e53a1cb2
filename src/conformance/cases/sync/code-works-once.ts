import { expectTokens, expectError } from "../../sync/bodies.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const codeWorksOnce: SyncCase = {
  id: "code-works-once",
  title: "A code that was redeemed is invalid_grant from then on",
  section: "sync contract, States and transitions 1",
  async run(target) {
    const grant = await obtainGrant(target);
    expectTokens(await target.post("/v1/token", grant));
    expectError(await target.post("/v1/token", grant), "invalid_grant");
  },
};
