import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const codesNeedTheirVerifier: EventsCase = {
  id: "codes-need-their-verifier",
  level: "contract",
  title: "A code is not exchanged with another verifier than its own",
  section: "events contract, Authentication 1: PKCE S256 (RFC 7636 4.6)",
  async run(target) {
    const grant = await target.newGrant();
    expectFailure(await target.redeem({ ...grant, code_verifier: randomText(64) }));
  },
};
