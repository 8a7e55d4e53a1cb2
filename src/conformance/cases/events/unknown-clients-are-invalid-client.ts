import { expectError } from "../../events/bodies.ts";
import { REVOKE, type EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const unknownClientsAreInvalidClient: EventsCase = {
  id: "unknown-clients-are-invalid-client",
  level: "trellis",
  title: "A client that nobody knows is 401 invalid_client at the token and the revocation route",
  section: "Trellis decision, events service: token, unknown client_id",
  async run(target) {
    const client_id = `nobody-${randomText(12)}`;
    const rest = { code: "x", redirect_uri: "x", code_verifier: "x" };
    const fields = { grant_type: "authorization_code", client_id, ...rest };
    expectError(await target.redeem(fields), "invalid_client");
    expectError(await target.postForm(REVOKE, { token: "x", client_id }), "invalid_client");
  },
};
