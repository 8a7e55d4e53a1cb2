import { expectEach, expectHeaderMatch, expectStatus, violate } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";
import { validatedPaths } from "../../release/validated-paths.ts";

export const anotherValidatorAnswers200: ReleaseCase = {
  id: "another-validator-answers-200",
  title: "A validator that does not match, or is none, is answered 200 with the body",
  section: "release contract, GET /api/v1/manifest: If-None-Match; Trellis decision: RFC 9110",
  async run(target) {
    await expectEach(await validatedPaths(target), async (path) => {
      const fresh = await target.api.get(path);
      const etag = expectHeaderMatch(fresh, "ETag", /./, "a validator");
      const inside = etag.slice(1, -1);
      const fields = ['"other"', '"one", W/"two"', inside, `"${inside}x"`, `"x${inside}"`, '""'];
      await expectEach(fields, async (field) => {
        const answer = await target.api.get(path, { "If-None-Match": field });
        expectStatus(answer, 200);
        if (answer.body.length === 0) violate(answer.asked, "a body", "none");
      });
    });
  },
};
