import { expectEach, expectSame } from "../../expect.ts";
import { expectAbsoluteRedirect } from "../../release/expect-redirect.ts";
import type { ReleaseCase } from "../../release/target.ts";

const QUERIES = [
  "platform=linux&arch=x64&channel=beta",
  "channel=nightly",
  "b=2&a=1&b=3",
  "arch=a%2Fb%20c+d&platform=LINUX",
  "x=%7e%7E&&y&=z;w='!*()'",
  "broken=%zz&platform=macos",
];

export const legacyEntryKeepsTheQuery: ReleaseCase = {
  id: "legacy-entry-keeps-the-query",
  title: "The legacy redirect carries the query exactly as it came",
  section: "release contract, GET /download: preserves the query string",
  async run({ api }) {
    await expectEach(QUERIES, async (query) => {
      const answer = await api.get(`/download?${query}`);
      const location = expectAbsoluteRedirect(answer, 308);
      const mark = location.indexOf("?");
      expectSame(answer, "query", mark < 0 ? "" : location.slice(mark + 1), query);
    });
  },
};
