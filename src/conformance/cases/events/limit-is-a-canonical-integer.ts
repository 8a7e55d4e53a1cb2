import { EVENTS_LIMIT_RANGE } from "../../../contract/events/values.ts";
import { expectError, expectList } from "../../events/bodies.ts";
import { query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

const WRONG = ["", "0", "-1", "1001", "05", "1.0", "1e2", "+5", "%205", "0x10", "ten", "5,5"];

export const limitIsACanonicalInteger: EventsCase = {
  id: "limit-is-a-canonical-integer",
  level: "trellis",
  title: "limit is needed, in plain decimal digits, from 1 to 1000",
  section: "Trellis decision, events service: events, limit",
  async run(target) {
    await expectEach(["limit", ...WRONG.map((value) => `limit=${value}`)], async (search) => {
      expectError(await target.list(search), "invalid_request");
    });
    await expectEach([1, EVENTS_LIMIT_RANGE.maximum], async (limit) => {
      expectList(await target.list(query(limit)));
    });
    expectError(await target.list("updated_since=2026-01-01T00:00:00Z"), "invalid_request");
  },
};
