import { expectHealth, expectError } from "../../release/bodies.ts";
import { MAX_TARGET_BYTES } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const overLongTargetsAre414: ReleaseCase = {
  id: "over-long-targets-are-414",
  title: "A request target of 8 KiB is served, a longer one is 414",
  section: "Trellis decision, shared by all services: request target; release service: its code",
  async run({ api }) {
    const padded = (length: number) => {
      const start = "/health?padding=";
      return start + "x".repeat(length - api.targetOf(start).length);
    };
    expectHealth(await api.get(padded(MAX_TARGET_BYTES)));
    // A proxy may take the path of the base URL off before the server sees the target.
    const tooLong = MAX_TARGET_BYTES + api.targetOf("").length + 1;
    expectError(await api.get(padded(tooLong)), "not_found", 414);
    expectError(await api.get(`/${"y".repeat(MAX_TARGET_BYTES + 500)}`), "not_found", 414);
  },
};
