import { expectList } from "../../events/bodies.ts";
import { BEGINNING, CLIENT_LIMIT, query, someEvents } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";

export const eventsHaveAllSixMembers: EventsCase = {
  id: "events-have-all-six-members",
  level: "trellis",
  title: "The list has exactly its members, and each event all six",
  section: "Trellis decision, events service: events, success",
  async run(target) {
    await someEvents(target);
    expectList(await target.list(query(CLIENT_LIMIT)));
    expectList(await target.list(query(CLIENT_LIMIT, BEGINNING)));
  },
};
