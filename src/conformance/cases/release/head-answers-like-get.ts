import { expectEach, expectSame } from "../../expect.ts";
import { samplePaths } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

const SAME_HEADERS = ["Content-Type", "Cache-Control", "ETag", "Location", "Vary"];

export const headAnswersLikeGet: ReleaseCase = {
  id: "head-answers-like-get",
  title: "HEAD answers with the status and headers of GET",
  section: "Trellis decision, shared by all services: HEAD",
  async run(target) {
    await expectEach(await samplePaths(target), async ({ origin, path }) => {
      const get = await origin.get(path);
      const head = await origin.send("HEAD", path);
      expectSame(head, "status", head.status, get.status);
      for (const name of SAME_HEADERS) {
        expectSame(head, name, head.header(name), get.header(name));
      }
    });
  },
};
