import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { POST_ROUTES, headersOf } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

const TYPES = [
  "",
  "text/plain",
  "text/json",
  "application/x-www-form-urlencoded",
  "application/json-patch+json",
  "application/jsonp",
  "multipart/form-data; boundary=x",
];

export const bodiesMustBeJson: SyncCase = {
  id: "bodies-must-be-json",
  title: "A body with another content type is 415 on every route that takes one",
  section: "sync contract, General request rules 1",
  async run(target) {
    await expectEach(POST_ROUTES, async (route) => {
      const { "Content-Type": _type, ...headers } = await headersOf(target, route);
      const body = JSON.stringify(route.harmless);
      await expectEach(TYPES, async (type) => {
        const sent = type === "" ? headers : { ...headers, "Content-Type": type };
        const answer = await target.api.send("POST", route.path, sent, body);
        expectError(answer, "unsupported_media_type");
      });
    });
  },
};
