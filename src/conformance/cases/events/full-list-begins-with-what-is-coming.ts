import { parseDateTime } from "../../../contract/date-time.ts";
import { expectList } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query, someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

const DAY_MS = 86_400_000;

/** Midnight UTC for a whole day. */
function momentOf(date: string): number {
  return parseDateTime(date.includes("T") ? date : `${date}T00:00:00Z`) ?? 0;
}

export const fullListBeginsWithWhatIsComing: EventsCase = {
  id: "full-list-begins-with-what-is-coming",
  level: "trellis",
  title:
    "The full list has what is coming by date, then what was, newest first, then what has no date",
  section: "Trellis decision, events service: events, the order of a full list",
  async run(target) {
    await someEvents(target, 2);
    const { events, server_time: at } = expectList(await target.list(query(CLIENT_LIMIT)));
    const now = parseDateTime(at) ?? 0;
    // What is of today, somewhere, may stand on either side; the case does not look at it.
    const groupOf = (date: string | null): number | null => {
      if (date === null) return 2;
      const moment = momentOf(date);
      return moment > now + DAY_MS ? 0 : moment < now - 3 * DAY_MS ? 1 : null;
    };
    const listed = events.flatMap(({ id, date }) => {
      const group = groupOf(date);
      return group === null ? [] : [{ id, group, moment: date === null ? 0 : momentOf(date) }];
    });
    const ordered = listed.toSorted(
      (a, b) => a.group - b.group || (a.group === 0 ? a.moment - b.moment : b.moment - a.moment),
    );
    expectSame(EVENTS, "events in order", listed, ordered);
  },
};
