import { expectError } from "../../events/bodies.ts";
import { REVOKE, type EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const revocationNeedsTokenAndClient: EventsCase = {
  id: "revocation-needs-token-and-client",
  level: "trellis",
  title: "A revocation without a token or a client is invalid_request",
  section: "Trellis decision, events service: revocation, missing members",
  async run(target) {
    const fields = { token: randomText(43), client_id: target.clientId() };
    await expectEach(["token", "client_id"], async (name) => {
      const answer = await target.postForm(REVOKE, { ...fields, [name]: undefined });
      expectError(answer, "invalid_request");
    });
  },
};
