import { expectList } from "../../events/bodies.ts";
import { query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

const MOMENTS = [
  "2026-08-21",
  "2026-08-21T10:15:30.123456789Z",
  "2026-08-21t10:15:30z",
  "2016-12-31T23:59:60Z",
];

export const updatedSinceTakesMoreForms: EventsCase = {
  id: "updated-since-takes-more-forms",
  level: "trellis",
  title: "updated_since may be a bare date, and may have up to nine fraction digits",
  section: "Trellis decision, events service: events, updated_since",
  async run(target) {
    await expectEach(MOMENTS, async (moment) => {
      expectList(await target.list(query(1, moment)));
    });
  },
};
