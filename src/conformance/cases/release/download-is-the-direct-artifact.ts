import { NotTestable } from "../../case.ts";
import { expectEach, violate } from "../../expect.ts";
import { expectAbsoluteRedirect } from "../../release/expect-redirect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const downloadIsTheDirectArtifact: ReleaseCase = {
  id: "download-is-the-direct-artifact",
  title: "Of a direct package and a store bundle of one architecture the direct one is served",
  section: "release contract, GET /api/v1/download/{platform}/{architecture}: several artifacts",
  async run(target) {
    const releases = await target.latestOfEach();
    const bundles = releases.flatMap(({ channel, artifacts }) =>
      artifacts
        .filter(({ distribution }) => distribution === "play")
        .map(({ platform, architecture }) => ({
          path: `/api/v1/download/${platform}/${encodeURIComponent(architecture)}?channel=${channel}`,
          direct: artifacts
            .filter((item) => item.platform === platform && item.architecture === architecture)
            .filter((item) => item.distribution === "direct")
            .map(({ url }) => url),
        })),
    );
    const testable = bundles.filter(({ direct }) => direct.length > 0);
    if (testable.length === 0) {
      throw new NotTestable("No latest release has a direct and a store artifact of one kind");
    }
    await expectEach(testable, async ({ path, direct }) => {
      const answer = await target.api.get(path);
      const location = expectAbsoluteRedirect(answer);
      if (!direct.includes(location))
        violate(answer.asked, `one of ${direct.join(", ")}`, location);
    });
  },
};
