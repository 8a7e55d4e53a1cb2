import { violate } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

const SENT = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";

export const requestIdsAreNewForEveryRequest: ReleaseCase = {
  id: "request-ids-are-new-for-every-request",
  title: "A request id names one request: it never repeats and is never the caller's",
  section: "release contract, ErrorResponse: requestId; Trellis decision: random per request",
  async run({ api }) {
    const seen = new Set([SENT]);
    for (const path of ["/health", "/health", "/no/such/route", "/no/such/route"]) {
      const answer = await api.get(path, { "X-Request-Id": SENT });
      const id = answer.header("X-Request-Id") ?? "none";
      if (seen.has(id)) violate(answer.asked, "an X-Request-Id that was not used before", id);
      seen.add(id);
    }
  },
};
