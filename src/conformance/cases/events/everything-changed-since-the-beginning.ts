import { NotTestable } from "../../case.ts";
import { expectAnyEvents } from "../../events/bodies.ts";
import { BEGINNING, CLIENT_LIMIT, query, someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const everythingChangedSinceTheBeginning: EventsCase = {
  id: "everything-changed-since-the-beginning",
  level: "contract",
  title: "An incremental list from 1970 on has every event of the full list",
  section: "events contract, GET /api/events: updated_since, incremental sync",
  async run(target) {
    const full = await someEvents(target);
    if (full.length >= CLIENT_LIMIT) {
      throw new NotTestable("The account has more events than fit into one answer");
    }
    const changed = expectAnyEvents(await target.list(query(CLIENT_LIMIT, BEGINNING)));
    const ids = new Set(changed.map(({ id }) => id));
    await expectEach(full, ({ id }) => {
      if (!ids.has(id)) violate(EVENTS, `${describeValue(id)} among the changes`, "nothing");
    });
  },
};
