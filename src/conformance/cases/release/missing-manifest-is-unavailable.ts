import { CACHE } from "../../../contract/release/routes.ts";
import { expectHeader } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const missingManifestIsUnavailable: ReleaseCase = {
  id: "missing-manifest-is-unavailable",
  title: "Without a signed manifest the answer is 503 manifest_unavailable, which no cache keeps",
  section: "release contract, GET /api/v1/manifest: 503; Cache-Control; Errors",
  async run(target) {
    const here = await target.api.get("/api/v1/manifest");
    const answer = here.status === 503 ? here : await target.empty().get("/api/v1/manifest");
    expectError(answer, "manifest_unavailable");
    expectHeader(answer, "Cache-Control", CACHE.never);
    expectHeader(answer, "ETag", undefined);
  },
};
