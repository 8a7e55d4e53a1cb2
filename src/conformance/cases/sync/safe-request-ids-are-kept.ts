import { expectEach, expectHeader, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const safeRequestIdsAreKept: SyncCase = {
  id: "safe-request-ids-are-kept",
  title: "A caller's request id of the safe grammar is the request's, in header and body",
  section: "sync contract, Errors 2; Trellis decision, sync service: request ids",
  async run({ api }) {
    const ids = ["eight-ch", "A.b_c~d-9", "r".repeat(128)];
    await expectEach(ids, async (id) => {
      const headers = { "X-Request-Id": id };
      expectHeader(await api.get("/v1/health", headers), "X-Request-Id", id);
      const missing = await api.get("/no/such/route", headers);
      expectHeader(missing, "X-Request-Id", id);
      expectSame(missing, "requestId", expectError(missing, "not_found").requestId, id);
    });
  },
};
