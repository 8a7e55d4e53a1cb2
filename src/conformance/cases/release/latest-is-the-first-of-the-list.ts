import { RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectError, expectRelease } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const latestIsTheFirstOfTheList: ReleaseCase = {
  id: "latest-is-the-first-of-the-list",
  title: "The latest release is the newest published build of its channel, and what is known of it",
  section: "release contract, GET /api/v1/releases/latest",
  async run(target) {
    await expectEach(RELEASE_CHANNELS, async (channel) => {
      const answer = await target.api.get(`/api/v1/releases/latest?channel=${channel}`);
      const first = (await target.list(channel))[0];
      const known = target.input.holds?.[channel];
      if (known === null || (known === undefined && first === undefined)) {
        expectError(answer, "release_not_found");
        return;
      }
      const { version, buildNumber } = expectRelease(answer);
      const found = { version, buildNumber };
      const listed = first && { version: first.version, buildNumber: first.buildNumber };
      expectSame(answer, "the first of the list", found, listed);
      if (known !== undefined) expectSame(answer, "the release it holds", found, known);
    });
  },
};
