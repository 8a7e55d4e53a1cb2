import { askToAuthorize, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectSame } from "../../expect.ts";

const STATES = [
  "a b+c%20d",
  "x&code=1&error=2#y",
  "\u00fcber \u2014 \u{1f9ea}",
  "\"'<>\\;",
  "%2F%00%zz",
  "\u0000\u0001\r\nLocation: x",
  "s".repeat(2000),
];

export const stateIsEchoedByteForByte: EventsCase = {
  id: "state-is-echoed-byte-for-byte",
  level: "trellis",
  title: "What the client decodes as state is what it sent, whatever characters it has",
  section: "Trellis decision, events service: authorize, state",
  async run(target) {
    await expectEach(STATES, async (state) => {
      const answer = await askToAuthorize(target, { response_type: undefined, state });
      const returned = expectRefusal(target, answer, "invalid_request");
      expectSame(answer, "state", returned.getAll("state"), [state]);
    });
  },
};
