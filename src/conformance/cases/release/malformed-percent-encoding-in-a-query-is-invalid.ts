import { expectEach } from "../../expect.ts";
import { expectError, expectList } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ANSWERS = [
  ["/api/v1/releases?page=%", "invalid_pagination"],
  ["/api/v1/releases?limit=1%0", "invalid_pagination"],
  ["/api/v1/releases?channel=stable%zz", "invalid_channel"],
  ["/api/v1/releases/latest?channel=%", "invalid_channel"],
  ["/api/v1/update/linux?version=1.0.0%2&build=1", "invalid_update_request"],
  ["/api/v1/download/linux?channel=beta%g0", "invalid_channel"],
] as const;

export const malformedPercentEncodingInAQueryIsInvalid: ReleaseCase = {
  id: "malformed-percent-encoding-in-a-query-is-invalid",
  title: "A query value that cannot be decoded is invalid, and only the parameter it belongs to",
  section: "Trellis decision, release service: malformed percent-encoding in a query",
  async run({ api }) {
    await expectEach(ANSWERS, async ([path, code]) => {
      expectError(await api.get(path), code);
    });
    expectList(await api.get("/api/v1/releases?campaign=%zz"));
  },
};
