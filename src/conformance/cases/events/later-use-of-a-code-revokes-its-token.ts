import { expectAnyToken, expectError } from "../../events/bodies.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

/** Within two seconds of the first use it is a race of one sender, and ends nothing. */
const AFTER_THE_RACE_MS = 2_500;

export const laterUseOfACodeRevokesItsToken: EventsCase = {
  id: "later-use-of-a-code-revokes-its-token",
  level: "trellis",
  title: "A code that is used again later ends the token that was made from it",
  section: "Trellis decision, events service: token, code used before (RFC 6749 4.1.2)",
  async run(target) {
    const grant = await target.newGrant();
    const token = expectAnyToken(await target.redeem(grant));
    const Authorization = `Bearer ${token}`;
    expectStatus(await target.api.get(`${EVENTS}?limit=1`, { Authorization }), 200);
    await new Promise((resolve) => setTimeout(resolve, AFTER_THE_RACE_MS));
    expectError(await target.redeem(grant), "invalid_grant");
    expectError(await target.api.get(`${EVENTS}?limit=1`, { Authorization }), "invalid_token");
  },
};
