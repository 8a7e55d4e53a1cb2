import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const unknownCodesAreInvalidGrant: SyncCase = {
  id: "unknown-codes-are-invalid-grant",
  title: "A code that never was is invalid_grant",
  section: "Trellis decision, sync service: invalid_grant",
  async run(target) {
    const grant = await obtainGrant(target);
    await expectEach(["", "none", "A".repeat(43), `${grant.code}A`, "\u0000"], async (code) => {
      expectError(await target.post("/v1/token", { ...grant, code }), "invalid_grant");
    });
  },
};
