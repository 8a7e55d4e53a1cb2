import { expectEach, expectSame } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const unknownQueryParametersAreIgnored: ReleaseCase = {
  id: "unknown-query-parameters-are-ignored",
  title: "Parameters that a route does not know change nothing",
  section: "Trellis decision, release service: unknown query parameters",
  async run(target) {
    const [newest] = await target.latestOfEach();
    const paths = [
      "/api/v1/releases",
      "/api/v1/manifest",
      // The concrete release takes no channel, so even a wrong one is unknown to it.
      `/api/v1/releases/${newest?.version}`,
    ];
    await expectEach(paths, async (path) => {
      const plain = await target.api.get(path);
      const adorned = await target.api.get(`${path}?utm_source=mail&utm_source=web&v&=&Page=0`);
      expectSame(adorned, "status", adorned.status, plain.status);
      expectSame(adorned, "ETag", adorned.header("ETag"), plain.header("ETag"));
    });
    const concrete = await target.api.get(`/api/v1/releases/${newest?.version}?channel=nightly`);
    expectSame(concrete, "status", concrete.status, 200);
  },
};
