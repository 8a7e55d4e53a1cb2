import { violate } from "../../expect.ts";
import type { SyncCase } from "../../sync/target.ts";

export const requestIdsAreNewForEveryRequest: SyncCase = {
  id: "request-ids-are-new-for-every-request",
  title: "A generated request id never repeats",
  section: "sync contract, Errors 2; Trellis decision, sync service: random request ids",
  async run({ api }) {
    const seen = new Set<string>();
    for (const path of ["/v1/health", "/v1/health", "/no/such/route", "/no/such/route"]) {
      const answer = await api.get(path);
      const id = answer.header("X-Request-Id") ?? "none";
      if (seen.has(id)) violate(answer.asked, "an X-Request-Id that was not used before", id);
      seen.add(id);
    }
  },
};
