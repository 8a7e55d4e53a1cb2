import { expectEach, expectSame } from "../../expect.ts";
import { expectDownloads } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const downloadsAreTheArtifactsOfTheRelease: ReleaseCase = {
  id: "downloads-are-the-artifacts-of-the-release",
  title: "The downloads of a version are the artifacts of that release, in its order",
  section: "release contract, GET /api/v1/releases/{version}/downloads; ReleaseDownloads",
  async run(target) {
    await expectEach(await target.latestOfEach(), async ({ version, artifacts }) => {
      const answer = await target.api.get(`/api/v1/releases/${version}/downloads`);
      expectSame(answer, "downloads", expectDownloads(answer), { version, artifacts });
    });
  },
};
