import { AUTHORIZE } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const successNamesTheIssuer: EventsCase = {
  id: "success-names-the-issuer",
  level: "trellis",
  title: "A redirect with a code names the issuer",
  section: "Trellis decision, events service: iss with the code (RFC 9207)",
  async run(target) {
    const { returned } = await target.arrival();
    expectSame(AUTHORIZE, "iss", returned.getAll("iss"), [target.publicUrl]);
  },
};
