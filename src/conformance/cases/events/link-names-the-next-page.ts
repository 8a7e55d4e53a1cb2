import { expectList } from "../../events/bodies.ts";
import { allChanges, BEGINNING, CLIENT_LIMIT, query } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectHeader } from "../../expect.ts";

export const linkNamesTheNextPage: EventsCase = {
  id: "link-names-the-next-page",
  level: "trellis",
  title: "While there is more, Link names the next page with rel=next; else there is none",
  section: "Trellis decision, events service: events, Link",
  async run(target) {
    await allChanges(target, 2);
    const answer = await target.list(query(1, BEGINNING));
    const { next_updated_since: next } = expectList(answer);
    const path = `${target.publicUrl}${EVENTS}?${query(1, next)}`;
    expectHeader(answer, "Link", `<${path}>; rel="next"`);
    expectHeader(await target.list(query(CLIENT_LIMIT, "2999-01-01T00:00:00Z")), "Link", undefined);
  },
};
