import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import { UNKNOWN_VERSION } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const trailingSlashesAreNotFound: ReleaseCase = {
  id: "trailing-slashes-are-not-found",
  title: "A path with a slash at its end is another path, and 404 not_found",
  section: "Trellis decision, shared by all services: paths are exact",
  async run(target) {
    const [newest] = await target.published();
    const version = newest?.version ?? UNKNOWN_VERSION;
    const paths = [
      "/health/",
      "/download/",
      "/api/v1/manifest/",
      "/api/v1/releases/",
      "/api/v1/releases/latest/",
      `/api/v1/releases/${version}/`,
      `/api/v1/releases/${version}/downloads/`,
      "/api/v1/update/linux/?version=1.0.0&build=1",
      "/api/v1/download/linux/",
      "/api/v1/download/linux/x64/",
    ];
    await expectEach(paths, async (path) => {
      expectError(await target.api.get(path), "not_found");
    });
  },
};
