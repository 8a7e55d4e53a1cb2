import { MAX_PAGE_LIMIT, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectList } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const MAX_PAGES_WALKED = 12;

export const listPagesAddUp: ReleaseCase = {
  id: "list-pages-add-up",
  title: "Pages of any size hold each release once, and agree on the total",
  section: "release contract, GET /api/v1/releases; ReleaseList",
  async run(target) {
    await expectEach(RELEASE_CHANNELS, async (channel) => {
      const all = await target.list(channel);
      const third = Math.min(MAX_PAGE_LIMIT, Math.max(1, Math.ceil(all.length / 3)));
      await expectEach(new Set([1, 2, third, third + 1, MAX_PAGE_LIMIT]), async (limit) => {
        if (limit > MAX_PAGE_LIMIT) return;
        const pages = Math.min(MAX_PAGES_WALKED, Math.ceil(all.length / limit) + 1);
        for (let page = 1; page <= pages; page++) {
          const answer = await target.api.get(
            `/api/v1/releases?channel=${channel}&page=${page}&limit=${limit}`,
          );
          expectSame(answer, "the page", expectList(answer), {
            page,
            limit,
            total: all.length,
            releases: all.slice((page - 1) * limit, page * limit),
          });
        }
      });
    });
  },
};
