import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PATHS = [
  "/",
  "/api",
  "/api/v1",
  "/api/v1/update",
  "/api/v1/download",
  "/api/v1/drafts",
  "/api/v2/releases",
  "/api/releases",
  "/v1/health",
  "/manifest",
  "/favicon.ico",
];

export const unknownRoutesAreNotFound: ReleaseCase = {
  id: "unknown-routes-are-not-found",
  title: "A route that does not exist is 404 not_found",
  section: "release contract, What the service does: convention 8; Errors: not_found",
  async run({ api }) {
    await expectEach(PATHS, async (path) => {
      expectError(await api.get(path), "not_found");
    });
  },
};
