import { expectList } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const unknownListParametersAreIgnored: EventsCase = {
  id: "unknown-list-parameters-are-ignored",
  level: "trellis",
  title: "A parameter of the list that nobody knows is ignored",
  section: "Trellis decision, events service: rules for every route",
  async run(target) {
    expectList(await target.list("limit=1&x=1&x=2"));
  },
};
