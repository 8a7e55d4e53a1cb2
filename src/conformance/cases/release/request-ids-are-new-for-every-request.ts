import { expectNewRequestIds } from "../../every-service/request-ids-are-new.ts";
import type { ReleaseCase } from "../../release/target.ts";

const SENT = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";

export const requestIdsAreNewForEveryRequest: ReleaseCase = {
  id: "request-ids-are-new-for-every-request",
  title: "A request id names one request: it never repeats and is never the caller's",
  section: "release contract, ErrorResponse: requestId; Trellis decision: random per request",
  run: ({ api }) =>
    expectNewRequestIds(api, ["/health", "/health", "/no/such/route", "/no/such/route"], SENT),
};
