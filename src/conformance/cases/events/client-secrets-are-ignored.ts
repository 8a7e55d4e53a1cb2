import type { EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

export const clientSecretsAreIgnored: EventsCase = {
  id: "client-secrets-are-ignored",
  level: "trellis",
  title: "A client_secret changes nothing, because some libraries always send one",
  section: "Trellis decision, events service: token, client_secret",
  async run(target) {
    const grant = await target.newGrant();
    expectStatus(await target.redeem({ ...grant, client_secret: "none" }), 200);
  },
};
