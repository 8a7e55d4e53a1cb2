import { expectError } from "../../sync/bodies.ts";
import { MAX_TARGET_BYTES } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const overLongTargetsAre414: SyncCase = {
  id: "over-long-targets-are-414",
  title: "A request target of 8 KiB is looked at, a longer one is 414",
  section: "Trellis decision, shared by all services: request target",
  async run({ api }) {
    const ofLength = (length: number) => `/${"y".repeat(length - api.targetOf("/").length)}`;
    expectError(await api.get(ofLength(MAX_TARGET_BYTES)), "not_found");
    // A proxy may take the path of the base URL off before the server sees the target.
    const tooLong = MAX_TARGET_BYTES + api.targetOf("").length + 1;
    expectError(await api.get(ofLength(tooLong)), "request_target_too_large");
    expectError(
      await api.get(`/v1/health?${"y".repeat(MAX_TARGET_BYTES)}`),
      "request_target_too_large",
    );
  },
};
