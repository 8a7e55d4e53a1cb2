import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const QUERIES = ["page=0&channel=nightly", "channel=nightly&limit=101", "channel=&page="];

export const paginationIsCheckedBeforeTheChannel: ReleaseCase = {
  id: "pagination-is-checked-before-the-channel",
  title: "When page or limit and the channel are wrong, the answer is invalid_pagination",
  section: "Trellis decision, release service: order of checks",
  async run({ api }) {
    await expectEach(QUERIES, async (query) => {
      expectError(await api.get(`/api/v1/releases?${query}`), "invalid_pagination");
    });
  },
};
