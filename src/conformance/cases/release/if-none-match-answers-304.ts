import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectStatus,
} from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";
import { validatedPaths } from "../../release/validated-paths.ts";

export const ifNoneMatchAnswers304: ReleaseCase = {
  id: "if-none-match-answers-304",
  title: "A validator that still matches is answered 304 with ETag and Cache-Control, without body",
  section:
    "release contract, GET /api/v1/manifest: 304; Trellis decision: If-None-Match (RFC 9110)",
  async run(target) {
    await expectEach(await validatedPaths(target), async (path) => {
      const fresh = await target.api.get(path);
      const etag = expectHeaderMatch(fresh, "ETag", /./, "a validator");
      const fields = [etag, `"other", ${etag}`, `"other",${etag} , W/"third"`, `W/${etag}`, "*"];
      await expectEach(fields, async (field) => {
        const answer = await target.api.get(path, { "If-None-Match": field });
        expectStatus(answer, 304);
        expectNoBody(answer);
        expectHeader(answer, "ETag", etag);
        expectHeader(answer, "Cache-Control", fresh.header("Cache-Control"));
      });
      const head = await target.api.send("HEAD", path, { "If-None-Match": etag });
      expectStatus(head, 304);
    });
  },
};
