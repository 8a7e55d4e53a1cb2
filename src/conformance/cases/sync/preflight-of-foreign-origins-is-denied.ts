import { expectEach, expectHeader } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { askPreflight } from "../../every-service/preflight.ts";
import { METHODS, FOREIGN_ORIGIN } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const preflightOfForeignOriginsIsDenied: SyncCase = {
  id: "preflight-of-foreign-origins-is-denied",
  title: "A preflight from any other origin is 403",
  section:
    "sync contract, Authentication 7: deny by default; Trellis decision, sync service: cors_denied",
  async run(target) {
    await expectEach(Object.keys(METHODS), async (path) => {
      const [method = "GET"] = METHODS[path] ?? [];
      const answer = await askPreflight(target, FOREIGN_ORIGIN, path, method);
      expectError(answer, "cors_denied");
      expectHeader(answer, "Access-Control-Allow-Origin", undefined);
      expectHeader(answer, "Access-Control-Allow-Methods", undefined);
    });
  },
};
