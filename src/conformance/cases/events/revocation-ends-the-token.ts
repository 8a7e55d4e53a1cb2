import { expectAnyToken, expectError, expectObject } from "../../events/bodies.ts";
import { EVENTS, REVOKE, type EventsCase } from "../../events/target.ts";
import { expectSame, expectStatus } from "../../expect.ts";

export const revocationEndsTheToken: EventsCase = {
  id: "revocation-ends-the-token",
  level: "trellis",
  title: "A token that is given back opens nothing any more, at once",
  section: "Trellis decision, events service: revocation (RFC 7009)",
  async run(target) {
    const token = expectAnyToken(await target.redeem(await target.newGrant()));
    const Authorization = `Bearer ${token}`;
    const client_id = target.clientId();
    expectStatus(await target.api.get(`${EVENTS}?limit=1`, { Authorization }), 200);
    const answer = await target.postForm(REVOKE, { token, client_id, token_type_hint: "x" });
    // RFC 7009 2.2 has no body; clients that read every answer as JSON fail on an empty one.
    expectSame(answer, "body", expectObject(answer), {});
    expectError(await target.api.get(`${EVENTS}?limit=1`, { Authorization }), "invalid_token");
  },
};
