import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const codesNeedAVerifier: EventsCase = {
  id: "codes-need-a-verifier",
  level: "contract",
  title: "A code is not exchanged without a verifier",
  section: "events contract, POST /api/oauth/token: code_verifier",
  async run(target) {
    const grant = await target.newGrant();
    expectFailure(await target.redeem({ ...grant, code_verifier: undefined }));
  },
};
