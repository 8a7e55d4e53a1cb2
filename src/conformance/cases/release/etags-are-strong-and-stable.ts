import { expectEach, expectHeader, expectHeaderMatch, violate } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";
import { validatedPaths } from "../../release/validated-paths.ts";

const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;

export const etagsAreStrongAndStable: ReleaseCase = {
  id: "etags-are-strong-and-stable",
  title: "The same bytes have the same strong ETag, other bytes another one",
  section: "release contract, GET /api/v1/manifest: ETag; Trellis decision: ETag",
  async run(target) {
    const pathsByEtag = new Map<string, { path: string; body: Uint8Array }>();
    await expectEach(await validatedPaths(target), async (path) => {
      const first = await target.api.get(path);
      const etag = expectHeaderMatch(first, "ETag", STRONG_ETAG, "one strong validator");
      const second = await target.api.get(path);
      expectHeader(second, "ETag", etag);
      if (Buffer.compare(first.body, second.body) !== 0) {
        violate(second.asked, `the bytes of ${etag} again`, "other bytes");
      }
      const other = pathsByEtag.get(etag);
      if (other !== undefined && Buffer.compare(other.body, first.body) !== 0) {
        violate(first.asked, `another ETag than ${other.path}, whose bytes differ`, etag);
      }
      pathsByEtag.set(etag, { path, body: first.body });
    });
  },
};
