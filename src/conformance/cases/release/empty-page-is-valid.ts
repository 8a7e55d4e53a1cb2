import { MAX_PAGE } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectList } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const emptyPageIsValid: ReleaseCase = {
  id: "empty-page-is-valid",
  title: "A valid page beyond the last release is 200 with an empty list and the same total",
  section: "release contract, GET /api/v1/releases: 200; Limits: page",
  async run(target) {
    const total = (await target.list("stable")).length;
    const beyond = Math.floor(total / 100) + 2;
    await expectEach([beyond, MAX_PAGE], async (page) => {
      const answer = await target.api.get(`/api/v1/releases?page=${page}&limit=100`);
      const expected = { page, limit: 100, total, releases: [] };
      expectSame(answer, "the page", expectList(answer), expected);
    });
  },
};
