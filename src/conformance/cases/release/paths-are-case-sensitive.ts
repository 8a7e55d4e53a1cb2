import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ANSWERS = [
  ["/Health", "not_found"],
  ["/DOWNLOAD", "not_found"],
  ["/API/v1/manifest", "not_found"],
  ["/api/V1/manifest", "not_found"],
  ["/api/v1/Releases", "not_found"],
  ["/api/v1/releases/Latest", "release_not_found"],
  ["/api/v1/download/Linux", "platform_not_supported"],
  ["/api/v1/update/Linux?version=1.0.0&build=1", "invalid_update_request"],
] as const;

export const pathsAreCaseSensitive: ReleaseCase = {
  id: "paths-are-case-sensitive",
  title: "Paths and the values in them are read in the case they are written in",
  section: "Trellis decision, shared by all services: paths are exact",
  async run({ api }) {
    await expectEach(ANSWERS, async ([path, code]) => {
      expectError(await api.get(path), code);
    });
  },
};
