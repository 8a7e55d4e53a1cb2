import { DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectError, expectList } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const nothingPublishedIsReleaseNotFound: ReleaseCase = {
  id: "nothing-published-is-release-not-found",
  title: "In a channel without releases latest, update and download are 404 release_not_found",
  section: "release contract, Errors: release_not_found; Trellis decision: order of checks",
  async run(target) {
    const { api, channel } = await target.emptyChannel();
    const paths = [
      `/api/v1/releases/latest?channel=${channel}`,
      updatePath({ version: "1.0.0", build: 1, channel }),
      ...DISTRIBUTION_PLATFORMS.map(
        (platform) => `/api/v1/download/${platform}?channel=${channel}`,
      ),
      // The release is looked for before the artifact.
      `/api/v1/download/linux/no-such-architecture?channel=${channel}`,
    ];
    await expectEach(paths, async (path) => {
      expectError(await api.get(path), "release_not_found");
    });
    const list = await api.get(`/api/v1/releases?channel=${channel}`);
    const { total, releases } = expectList(list);
    expectSame(list, "an empty list", { total, releases }, { total: 0, releases: [] });
  },
};
