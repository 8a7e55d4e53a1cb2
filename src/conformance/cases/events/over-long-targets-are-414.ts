import { expectError } from "../../events/bodies.ts";
import { MAX_TARGET_BYTES } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";

export const overLongTargetsAre414: EventsCase = {
  id: "over-long-targets-are-414",
  level: "trellis",
  title: "A request target of 8 KiB is looked at, a longer one is 414",
  section: "Trellis decision, shared by all services: request target",
  async run({ api }) {
    const ofLength = (length: number) => `/${"y".repeat(length - api.targetOf("/").length)}`;
    expectError(await api.get(ofLength(MAX_TARGET_BYTES)), "not_found");
    // A proxy may take the path of the base URL off before the server sees the target.
    const tooLong = MAX_TARGET_BYTES + api.targetOf("").length + 1;
    expectError(await api.get(ofLength(tooLong)), "invalid_request", 414);
  },
};
