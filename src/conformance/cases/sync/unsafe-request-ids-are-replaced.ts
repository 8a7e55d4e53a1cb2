import { expectEach, expectHeaderMatch, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

const UNSAFE = [
  "seven-7",
  "r".repeat(129),
  "with a space",
  "<script>alert(1)</script>",
  "semi;colon",
  "slash/slash",
  'quote"quote',
  "caf\u00e9-caf\u00e9",
  "one-id-1, two-id-2",
];

export const unsafeRequestIdsAreReplaced: SyncCase = {
  id: "unsafe-request-ids-are-replaced",
  title: "A caller's request id outside the safe grammar is replaced by a generated one",
  section: "sync contract, Errors 2; Trellis decision, sync service: request ids",
  async run({ api }) {
    await expectEach(UNSAFE, async (id) => {
      const answer = await api.get("/no/such/route", { "X-Request-Id": id });
      const given = expectHeaderMatch(
        answer,
        "X-Request-Id",
        /^[A-Za-z0-9_-]{22}$/,
        "22 Base64URL characters",
      );
      expectSame(answer, "requestId", expectError(answer, "not_found").requestId, given);
    });
  },
};
