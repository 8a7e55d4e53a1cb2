import { DEFAULT_PAGE_LIMIT } from "../../../contract/release/values.ts";
import { expectSame } from "../../expect.ts";
import { expectList } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const listStartsWithTheFirstTwenty: ReleaseCase = {
  id: "list-starts-with-the-first-twenty",
  title: "Without page and limit the list is the first page of twenty",
  section: "release contract, GET /api/v1/releases: defaults; Limits",
  async run(target) {
    const answer = await target.api.get("/api/v1/releases");
    const { page, limit, releases } = expectList(answer);
    expectSame(answer, "page and limit", { page, limit }, { page: 1, limit: DEFAULT_PAGE_LIMIT });
    const all = await target.list("stable");
    expectSame(answer, "releases", releases, all.slice(0, DEFAULT_PAGE_LIMIT));
  },
};
