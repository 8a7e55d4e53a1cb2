import { RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const listIsNewestBuildFirst: ReleaseCase = {
  id: "list-is-newest-build-first",
  title: "The list of a channel is in falling order of build numbers",
  section: "release contract, GET /api/v1/releases; ReleaseList: releases",
  async run(target) {
    await expectEach(RELEASE_CHANNELS, async (channel) => {
      const builds = (await target.list(channel)).map(({ buildNumber }) => buildNumber);
      const falling = [...new Set(builds)].toSorted((a, b) => b - a);
      expectSame(`GET /api/v1/releases?channel=${channel}`, "builds", builds, falling);
    });
  },
};
