import { expectError, expectList } from "../../events/bodies.ts";
import { BEGINNING, query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const includeDeletedIsTrueOrFalse: EventsCase = {
  id: "include-deleted-is-true-or-false",
  level: "trellis",
  title: "include_deleted is true or false",
  section: "Trellis decision, events service: events, include_deleted",
  async run(target) {
    await expectEach(["", "1", "True", "yes"], async (value) => {
      const answer = await target.list(query(1, BEGINNING, `&include_deleted=${value}`));
      expectError(answer, "invalid_request");
    });
    await expectEach(["true", "false"], async (value) => {
      expectList(await target.list(query(1, BEGINNING, `&include_deleted=${value}`)));
    });
  },
};
