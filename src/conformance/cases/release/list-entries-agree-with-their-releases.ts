import { expectEach, expectSame } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

const COMPARED_RELEASES = 20;

export const listEntriesAgreeWithTheirReleases: ReleaseCase = {
  id: "list-entries-agree-with-their-releases",
  title: "What the list says of a release is what the release says of itself",
  section: "release contract, ReleaseSummary; Release",
  async run(target) {
    const published = await target.published();
    await expectEach(published.slice(0, COMPARED_RELEASES), async (summary) => {
      const { version, buildNumber, channel, publishedAt } = await target.release(summary.version);
      const asked = `GET /api/v1/releases/${summary.version}`;
      const found = { version, buildNumber, channel, publishedAt };
      expectSame(asked, "the list's entry", found, summary);
    });
  },
};
