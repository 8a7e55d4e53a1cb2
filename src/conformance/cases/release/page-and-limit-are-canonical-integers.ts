import { MAX_PAGE, MAX_PAGE_LIMIT } from "../../../contract/release/values.ts";
import { expectEach } from "../../expect.ts";
import { expectError, expectList } from "../../release/bodies.ts";
import { NOT_AN_INTEGER } from "../../release/not-an-integer.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const pageAndLimitAreCanonicalIntegers: ReleaseCase = {
  id: "page-and-limit-are-canonical-integers",
  title: "page and limit are plain decimals in their range; anything else is invalid_pagination",
  section: "release contract, GET /api/v1/releases; Limits; Trellis decision: integers in queries",
  async run({ api }) {
    const accepted = [`page=${MAX_PAGE}`, `limit=${MAX_PAGE_LIMIT}`, "page=1&limit=1"];
    await expectEach(accepted, async (query) => {
      expectList(await api.get(`/api/v1/releases?${query}`));
    });
    const refused = [
      `page=${MAX_PAGE + 1}`,
      `limit=${MAX_PAGE_LIMIT + 1}`,
      ...NOT_AN_INTEGER.flatMap((text) => [`page=${text}`, `limit=${text}`]),
    ];
    await expectEach(refused, async (query) => {
      expectError(await api.get(`/api/v1/releases?${query}`), "invalid_pagination");
    });
  },
};
