import { askToAuthorize, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const refusalsNameTheIssuer: EventsCase = {
  id: "refusals-name-the-issuer",
  level: "trellis",
  title: "A redirect with an error names the issuer",
  section: "Trellis decision, events service: iss in errors (RFC 9207)",
  async run(target) {
    const answer = await askToAuthorize(target, { response_type: "token" });
    const returned = expectRefusal(target, answer, "unsupported_response_type");
    expectSame(answer, "iss", returned.getAll("iss"), [target.publicUrl]);
  },
};
