import { expectObject } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { describeValue, violate } from "../../expect.ts";

export const tokenTypeIsBearer: EventsCase = {
  id: "token-type-is-bearer",
  level: "contract",
  title: "A token type, where there is one, is Bearer",
  section: "events contract, Token response: token_type",
  async run(target) {
    const answer = await target.redeemed();
    const { token_type: type } = expectObject(answer);
    // RFC 6749 5.1: the value is case-insensitive.
    if (type === undefined || (typeof type === "string" && type.toLowerCase() === "bearer")) return;
    violate(answer.asked, "token_type Bearer", describeValue(type));
  },
};
