import { SYNC_LIMIT_RANGES } from "../../../contract/sync/values.ts";
import { expectEach, expectSame, violate } from "../../expect.ts";
import { expectCapabilities } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const capabilitiesNameWhatTheInstanceCanDo: SyncCase = {
  id: "capabilities-name-what-the-instance-can-do",
  title: "GET /v1/capabilities names S256, rotation and the limits, which are within their ranges",
  section: "sync contract, Endpoints: GET /v1/capabilities; Limits",
  async run({ api }) {
    const answer = await api.get("/v1/capabilities");
    const { authentication, sync } = expectCapabilities(answer);
    expectSame(answer, "authentication.pkceMethods", authentication.pkceMethods, ["S256"]);
    const ranges = [
      ["maximumBodyBytes", SYNC_LIMIT_RANGES.maxBodyBytes],
      ["maximumPushOperations", SYNC_LIMIT_RANGES.maxPushOperations],
      ["maximumPullOperations", SYNC_LIMIT_RANGES.maxPullOperations],
    ] as const;
    await expectEach(ranges, ([name, { minimum, maximum }]) => {
      const value = sync[name];
      if (value >= minimum && value <= maximum) return;
      violate(answer.asked, `sync.${name} from ${minimum} to ${maximum}`, String(value));
    });
  },
};
