import { REVOKE, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const revocationOfUnknownTokensIsFine: EventsCase = {
  id: "revocation-of-unknown-tokens-is-fine",
  level: "trellis",
  title: "Giving back a token that never was is 200",
  section: "Trellis decision, events service: revocation (RFC 7009 2.2)",
  async run(target) {
    const fields = { token: randomText(43), client_id: target.clientId() };
    expectStatus(await target.postForm(REVOKE, fields), 200);
  },
};
