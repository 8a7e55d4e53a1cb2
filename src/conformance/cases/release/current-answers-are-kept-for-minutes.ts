import { CACHE } from "../../../contract/release/routes.ts";
import { expectEach, expectHeader, expectStatus } from "../../expect.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const currentAnswersAreKeptForMinutes: ReleaseCase = {
  id: "current-answers-are-kept-for-minutes",
  title: "What changes with a publication may be kept a minute, five in shared caches",
  section: "release contract, Cache-Control on successful responses: first class",
  async run(target) {
    const [newest] = await target.latestOfEach();
    const { channel } = newest ?? { channel: "stable" as const };
    const paths = [
      "/api/v1/releases",
      `/api/v1/releases/latest?channel=${channel}`,
      updatePath({ version: "0.0.1", build: 1, channel }),
      "/api/v1/manifest",
    ];
    await expectEach(paths, async (path) => {
      const answer = await target.api.get(path);
      if (answer.status === 503) return;
      expectStatus(answer, 200);
      expectHeader(answer, "Cache-Control", CACHE.current);
    });
  },
};
