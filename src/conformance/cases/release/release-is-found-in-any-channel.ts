import { expectEach, expectSame } from "../../expect.ts";
import { expectRelease } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ASKED_RELEASES = 10;

export const releaseIsFoundInAnyChannel: ReleaseCase = {
  id: "release-is-found-in-any-channel",
  title: "A version is looked up across the channels",
  section: "release contract, GET /api/v1/releases/{version}",
  async run(target) {
    const newest = await target.latestOfEach();
    const published = await target.published();
    const versions = [...newest, ...published.slice(0, ASKED_RELEASES)];
    await expectEach(new Set(versions.map(({ version }) => version)), async (version) => {
      const answer = await target.api.get(`/api/v1/releases/${version}`);
      expectSame(answer, "version", expectRelease(answer).version, version);
    });
  },
};
