import { expectEach } from "../../expect.ts";
import { expectDecision, expectError } from "../../release/bodies.ts";
import { NOT_AN_INTEGER } from "../../release/not-an-integer.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const updateBuildIsACanonicalInteger: ReleaseCase = {
  id: "update-build-is-a-canonical-integer",
  title: "build is a plain decimal from 1 to 2^53-1; anything else is invalid_update_request",
  section: "release contract, Limits: build; Trellis decision: integers in queries, build bound",
  async run(target) {
    const refused = [...NOT_AN_INTEGER, "9007199254740992", "9999999999999999"];
    await expectEach(refused, async (build) => {
      const answer = await target.api.get(updatePath({ version: "1.0.0", build }));
      expectError(answer, "invalid_update_request");
    });
    const [newest] = await target.latestOfEach();
    const { channel } = newest ?? { channel: "stable" as const };
    await expectEach(["1", "9007199254740991"], async (build) => {
      expectDecision(await target.api.get(updatePath({ version: "1.0.0", build, channel })));
    });
  },
};
