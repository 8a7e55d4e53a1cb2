/** Deadlines in appcasts: an update is critical once its deadline has passed. */
import { parseDateTime } from "../../../src/contract/date-time.ts";
import { EVERYBODY_PERCENT } from "../../../src/contract/release/values.ts";
import { expectEach, expectHeaderMatch, expectSame, fail } from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { deadlineState } from "../expectations.ts";
import { readAppcast } from "../read-feed.ts";
import {
  checkFeeds,
  feedSection as section,
  offeredRelease,
  signedPercent,
} from "../served-feeds.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

export const FEED_DEADLINE_CASES = releaseCases({
  "appcast-is-critical-after-the-deadline": {
    title: "An item is critical when the deadline of its release has passed, and not before",
    section: section("Sparkle"),
    run: checkFeeds(["sparkle"], async (response, _path, server) => {
      const percent = await signedPercent(server);
      await expectEach(readAppcast(response), async (item) => {
        const { mandatoryAfter } = await offeredRelease(server, response, item);
        const state = deadlineState(mandatoryAfter);
        if (state === "near" || (await percent(item)) < EVERYBODY_PERCENT) return;
        const what = `whether ${item.version} is critical`;
        expectSame(response, what, item.isCritical, state === "passed");
      });
    }),
  },
  "appcast-is-not-kept-past-a-deadline": {
    title: "No cache may keep an appcast longer than until the next deadline of its releases",
    section: section("caching"),
    run: checkFeeds(["sparkle"], async (response, _path, server) => {
      const sentAt = Date.parse(response.header("Date") ?? "") || Date.now();
      const deadlines = await deadlinesOf(server, response);
      const next = Math.min(...deadlines.filter((deadline) => deadline > sentAt));
      const cache = expectHeaderMatch(response, "Cache-Control", /max-age=[0-9]+/, "a max-age");
      const [longest = 0] = [...cache.matchAll(/max-?age=([0-9]+)/g)]
        .map(([, seconds]) => Number(seconds))
        .toSorted((a, b) => b - a);
      if (sentAt + longest * 1000 <= next) return;
      fail(response, `no cache after ${new Date(next).toISOString()}`, cache);
    }),
  },
});

/** The deadlines of the releases that are out for everybody: those of others change nothing. */
async function deadlinesOf(
  server: ReleaseServerUnderTest,
  response: ReceivedResponse,
): Promise<number[]> {
  const percent = await signedPercent(server);
  const deadlines = readAppcast(response).map(async (item) => {
    if ((await percent(item)) < EVERYBODY_PERCENT) return Infinity;
    const { mandatoryAfter } = await offeredRelease(server, response, item);
    return parseDateTime(mandatoryAfter ?? "") ?? Infinity;
  });
  return Promise.all(deadlines);
}
