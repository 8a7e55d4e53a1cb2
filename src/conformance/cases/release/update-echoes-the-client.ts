import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

const COORDINATES = [
  { version: "0.0.0", buildNumber: 1 },
  { version: "1.2.3", buildNumber: 456 },
  { version: "12345678901234567890.0.98765432109876543210", buildNumber: Number.MAX_SAFE_INTEGER },
];

export const updateEchoesTheClient: ReleaseCase = {
  id: "update-echoes-the-client",
  title: "current is the coordinate that the client sent, digit for digit",
  section: "release contract, GET /api/v1/update/{platform}: current; UpdateDecision",
  async run(target) {
    const [newest] = await target.latestOfEach();
    const { channel } = newest ?? { channel: "stable" as const };
    await expectEach(COORDINATES, async (current) => {
      const { version, buildNumber: build } = current;
      const answer = await target.api.get(updatePath({ version, build, channel }));
      expectSame(answer, "current", expectDecision(answer).current, current);
    });
  },
};
