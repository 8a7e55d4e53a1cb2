import { HEALTH } from "../../events/routes.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectNewRequestIds } from "../../every-service/request-ids-are-new.ts";

const SENT = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";

export const requestIdsAreNewForEveryRequest: EventsCase = {
  id: "request-ids-are-new-for-every-request",
  level: "trellis",
  title: "A request id names one request: it never repeats and is never the caller's",
  section: "Trellis decision, shared by all services: X-Request-Id",
  run: ({ api }) => expectNewRequestIds(api, [HEALTH, HEALTH, "/no/such/route", EVENTS], SENT),
};
