import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import { UNKNOWN_VERSION } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const extraPathSegmentsAreNotFound: ReleaseCase = {
  id: "extra-path-segments-are-not-found",
  title: "A path with segments beyond a route is 404 not_found, never a private subresource",
  section: "release contract, What the service does: convention 8; GET /api/v1/releases/{version}",
  async run(target) {
    const [newest] = await target.published();
    const versions = [
      newest?.version ?? UNKNOWN_VERSION,
      UNKNOWN_VERSION,
      ...(target.input.holds?.drafts ?? []),
    ];
    const paths = [
      "/health/live",
      "/download/linux",
      "/api/v1/manifest/payload",
      "/api/v1/releases/latest/notes",
      "/api/v1/update/linux/x64",
      "/api/v1/download/linux/x64/extra",
      ...versions.flatMap((version) => [
        `/api/v1/releases/${version}/notes`,
        `/api/v1/releases/${version}/artifacts`,
        `/api/v1/releases/${version}/downloads/linux`,
      ]),
    ];
    await expectEach(paths, async (path) => {
      expectError(await target.api.get(path), "not_found");
    });
  },
};
