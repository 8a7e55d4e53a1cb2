import { expectNewRequestIds } from "../../every-service/request-ids-are-new.ts";
import type { SyncCase } from "../../sync/target.ts";

export const requestIdsAreNewForEveryRequest: SyncCase = {
  id: "request-ids-are-new-for-every-request",
  title: "A generated request id never repeats",
  section: "sync contract, Errors 2; Trellis decision, sync service: random request ids",
  run: ({ api }) =>
    expectNewRequestIds(api, ["/v1/health", "/v1/health", "/no/such/route", "/no/such/route"]),
};
