import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const encodedBodiesAreRefused: SyncCase = {
  id: "encoded-bodies-are-refused",
  title: "A body with a Content-Encoding is 415",
  section: "Trellis decision, sync service: Content-Encoding",
  async run(target) {
    await expectEach(POST_ROUTES, async (route) => {
      const headers = await headersOf(target, route);
      await expectEach(["gzip", "br", "deflate"], async (encoding) => {
        const sent = { ...headers, "Content-Encoding": encoding };
        const body = JSON.stringify(route.harmless);
        const answer = await target.api.send("POST", route.path, sent, body);
        expectError(answer, "unsupported_media_type");
      });
    });
  },
};
