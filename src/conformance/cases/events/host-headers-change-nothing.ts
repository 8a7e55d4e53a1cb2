import { expectMetadata } from "../../events/bodies.ts";
import { METADATA } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const hostHeadersChangeNothing: EventsCase = {
  id: "host-headers-change-nothing",
  level: "trellis",
  title: "The public address is the configured one, whatever Host or a forwarding header says",
  section: "Trellis decision, shared by all services: behind a proxy",
  async run({ api }) {
    const honest = expectMetadata(await api.get(METADATA));
    const answer = await api.get(METADATA, {
      Host: "elsewhere.example",
      "X-Forwarded-Host": "elsewhere.example",
      "X-Forwarded-Proto": "http",
      Forwarded: "host=elsewhere.example",
    });
    expectSame(answer, "metadata", expectMetadata(answer), honest);
  },
};
