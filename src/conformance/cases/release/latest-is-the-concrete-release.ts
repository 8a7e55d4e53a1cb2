import { expectEach, expectSame } from "../../expect.ts";
import { expectRelease } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const latestIsTheConcreteRelease: ReleaseCase = {
  id: "latest-is-the-concrete-release",
  title: "The latest release and the release of that version are the same resource",
  section: "release contract, GET /api/v1/releases/latest; GET /api/v1/releases/{version}; Release",
  async run(target) {
    await expectEach(await target.latestOfEach(), async (release) => {
      const answer = await target.api.get(`/api/v1/releases/latest?channel=${release.channel}`);
      expectSame(answer, `release ${release.version}`, expectRelease(answer), release);
    });
  },
};
