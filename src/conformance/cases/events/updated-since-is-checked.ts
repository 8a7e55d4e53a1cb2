import { expectError } from "../../events/bodies.ts";
import { query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

const WRONG = [
  "",
  "yesterday",
  "2026-02-30T00:00:00Z",
  "2026-08-21T25:00:00Z",
  "2026-08-21 10:15:30Z",
  "1755771330",
  "2026-08",
  "2026-08-21T10:15:30.1234567890Z",
];

export const updatedSinceIsChecked: EventsCase = {
  id: "updated-since-is-checked",
  level: "trellis",
  title: "A text that is no moment of the calendar is invalid_request",
  section: "Trellis decision, events service: events, bad updated_since",
  async run(target) {
    await expectEach(WRONG, async (moment) => {
      expectError(await target.list(query(1, moment)), "invalid_request");
    });
    // A plus sign that nobody escaped is a space.
    const answer = await target.list("limit=1&updated_since=2026-08-21T10:15:30+02:00");
    expectError(answer, "invalid_request");
  },
};
