import type { EventsCase } from "../../events/target.ts";
import { expectHeader } from "../../expect.ts";

export const listsArePrivate: EventsCase = {
  id: "lists-are-private",
  level: "trellis",
  title: "A list of events is private and never stored",
  section: "Trellis decision, events service: events, Cache-Control",
  async run(target) {
    expectHeader(await target.list("limit=1"), "Cache-Control", "private, no-store");
  },
};
