import { MAX_TOKEN_BODY_BYTES } from "../../../contract/events/values.ts";
import { expectError } from "../../events/bodies.ts";
import { FORM, TOKEN, type EventsCase } from "../../events/target.ts";

export const tokenBodiesOverTheLimitAre413: EventsCase = {
  id: "token-bodies-over-the-limit-are-413",
  level: "trellis",
  title: "A form of 16 KiB is read, a longer one is 413",
  section: "Trellis decision, events service: token, body over 16 KiB",
  async run({ api }) {
    const start = "grant_type=password&x=";
    const ofLength = (length: number) => start + "y".repeat(length - start.length);
    const fits = await api.send("POST", TOKEN, FORM, ofLength(MAX_TOKEN_BODY_BYTES));
    expectError(fits, "unsupported_grant_type");
    const tooLong = await api.send("POST", TOKEN, FORM, ofLength(MAX_TOKEN_BODY_BYTES + 1));
    expectError(tooLong, "invalid_request", 413);
  },
};
