import { expectError } from "../../events/bodies.ts";
import { BEGINNING, query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const repeatedListParametersAreInvalid: EventsCase = {
  id: "repeated-list-parameters-are-invalid",
  level: "trellis",
  title: "A parameter of the list that comes twice is invalid_request, never the first one",
  section: "Trellis decision, shared by all services: repeated query parameters",
  async run(target) {
    const searches = [
      "limit=1&limit=1",
      `${query(1, BEGINNING)}&updated_since=${encodeURIComponent(BEGINNING)}`,
      `${query(1, BEGINNING)}&include_deleted=true&include_deleted=true`,
    ];
    await expectEach(searches, async (search) => {
      expectError(await target.list(search), "invalid_request");
    });
  },
};
