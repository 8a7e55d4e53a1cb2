import { parseServiceOrigin } from "../../../rules/events/client/service-origin.ts";
import { NotTestable } from "../../case.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const originIsOneThatClientsAccept: EventsCase = {
  id: "origin-is-one-that-clients-accept",
  level: "contract",
  title: "The public address is a root https origin on port 443 of a public host",
  section: "events contract, Authentication 5",
  async run({ publicUrl, input }) {
    if (input.publicUrl === undefined && !publicUrl.startsWith("https:")) {
      throw new NotTestable(
        "The service is asked at a test address; give its own with --public-url",
      );
    }
    const outcome = parseServiceOrigin(publicUrl);
    if (outcome.kind === "accepted") return;
    violate(
      publicUrl,
      "an origin that a client connects to",
      `one that it refuses: ${outcome.reason}`,
    );
  },
};
