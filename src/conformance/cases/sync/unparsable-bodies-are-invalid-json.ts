import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

const BODIES = [
  "",
  " ",
  "{",
  "nothing",
  "{'a':1}",
  '{"a":1,}',
  '{"a":1}{"b":2}',
  '{"a":NaN}',
  Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
];

export const unparsableBodiesAreInvalidJson: SyncCase = {
  id: "unparsable-bodies-are-invalid-json",
  title: "An empty body, or one that is no UTF-8 JSON, is invalid_json",
  section: "Trellis decision, sync service: invalid_json",
  async run(target) {
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      await expectEach(BODIES, async (body) => {
        const answer = await target.api.send("POST", route.path, headers, body);
        expectError(answer, "invalid_json");
      });
    });
  },
};
