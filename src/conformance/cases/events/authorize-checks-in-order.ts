import {
  askToAuthorize,
  expectErrorPage,
  expectRefusal,
  type Fields,
} from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";

export const authorizeChecksInOrder: EventsCase = {
  id: "authorize-checks-in-order",
  level: "trellis",
  title: "Of several faults of a request the first in the order of the checks is the answer",
  section: "Trellis decision, events service: authorize, the order of the checks",
  async run(target) {
    const faults: Fields = { response_type: "token", code_challenge: "x", scope: "write:events" };
    expectErrorPage(await askToAuthorize(target, { ...faults, client_id: "nobody" }));
    expectErrorPage(await askToAuthorize(target, { ...faults, redirect_uri: "nowhere:/" }));
    expectRefusal(target, await askToAuthorize(target, faults, "&scope=x"), "invalid_request");
    expectRefusal(target, await askToAuthorize(target, faults), "unsupported_response_type");
    const second: Fields = { ...faults, response_type: "code" };
    expectRefusal(target, await askToAuthorize(target, second), "invalid_request");
    const third: Fields = { scope: "write:events", response_mode: "fragment" };
    expectRefusal(target, await askToAuthorize(target, third), "invalid_scope");
  },
};
