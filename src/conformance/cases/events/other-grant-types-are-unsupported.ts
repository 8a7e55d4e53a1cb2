import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const otherGrantTypesAreUnsupported: EventsCase = {
  id: "other-grant-types-are-unsupported",
  level: "trellis",
  title: "Another grant type is unsupported_grant_type",
  section: "Trellis decision, events service: token, grant_type",
  async run(target) {
    await expectEach(["refresh_token", "client_credentials", "password"], async (grant_type) => {
      expectError(await target.redeem({ grant_type }), "unsupported_grant_type");
    });
  },
};
