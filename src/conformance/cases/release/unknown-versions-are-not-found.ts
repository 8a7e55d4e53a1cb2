import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import { UNKNOWN_VERSION } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const unknownVersionsAreNotFound: ReleaseCase = {
  id: "unknown-versions-are-not-found",
  title: "A version that is not published, or is none, is 404 release_not_found",
  section: "release contract, GET /api/v1/releases/{version}: 404; Trellis decision: not SemVer",
  async run(target) {
    const [newest] = await target.published();
    const version = newest?.version ?? "1.0.0";
    const texts = [
      UNKNOWN_VERSION,
      "99999999999999999999999999.0.0",
      `v${version}`,
      `0${version}`,
      `${version}.0`,
      `${version}-beta`,
      `${version}+1`,
      `%20${version}`,
      `${version}%0A`,
      `${version}%00`,
      version.split(".").slice(0, 2).join("."),
      "newest",
      "__proto__",
      "constructor",
    ];
    const paths = texts.flatMap((text) => [
      `/api/v1/releases/${text}`,
      `/api/v1/releases/${text}/downloads`,
    ]);
    await expectEach(paths, async (path) => {
      expectError(await target.api.get(path), "release_not_found");
    });
  },
};
