import type { Members } from "../../events/bodies.ts";
import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectSame } from "../../expect.ts";

/** By everything but the id: what changed meanwhile is another event here, and proves nothing. */
function idsByContent(events: readonly Members[]): Map<string, unknown[]> {
  const ids = new Map<string, unknown[]>();
  for (const { id, ...content } of events) {
    const key = JSON.stringify(content);
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  return ids;
}

export const eventIdsAreStable: EventsCase = {
  id: "event-ids-are-stable",
  level: "contract",
  title: "An event has the same id in every answer",
  section: "events contract, Event: id, stable identity",
  async run(target) {
    const first = idsByContent(await someEvents(target));
    const second = idsByContent(await someEvents(target));
    await expectEach(first, ([content, ids]) => {
      const again = second.get(content);
      if (again === undefined || again.length !== ids.length) return;
      expectSame(EVENTS, "ids", again.toSorted(), ids.toSorted());
    });
  },
};
