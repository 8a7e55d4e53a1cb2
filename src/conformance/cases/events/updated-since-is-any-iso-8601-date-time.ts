import { expectAnyEvents } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

const MOMENTS = [
  "2026-08-21T10:15:30Z",
  "2026-08-21T10:15:30.123Z",
  "2026-08-21T12:15:30+02:00",
  "2026-08-21T10:15:30.123456",
];

export const updatedSinceIsAnyIso8601DateTime: EventsCase = {
  id: "updated-since-is-any-iso-8601-date-time",
  level: "contract",
  title: "updated_since is taken with Z, with an offset, with fractions and without an offset",
  section: "events contract, GET /api/events: updated_since",
  async run(target) {
    await expectEach(MOMENTS, async (moment) => {
      expectAnyEvents(await target.list(query(CLIENT_LIMIT, moment)));
    });
  },
};
