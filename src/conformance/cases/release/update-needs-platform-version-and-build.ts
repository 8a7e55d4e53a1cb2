import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PLATFORMS = ["ios", "web", "amiga", "Windows", "linux%20"];
const VERSIONS = [
  "",
  "1",
  "1.0",
  "1.0.0.0",
  "v1.0.0",
  "01.0.0",
  "1.0.0-rc.1",
  "1.0.0%0A",
  "latest",
];

export const updateNeedsPlatformVersionAndBuild: ReleaseCase = {
  id: "update-needs-platform-version-and-build",
  title: "A missing or wrong platform, version or build is 400 invalid_update_request",
  section: "release contract, GET /api/v1/update/{platform}: 400; Errors: invalid_update_request",
  async run({ api }) {
    const paths = [
      "/api/v1/update/linux",
      "/api/v1/update/linux?version=1.0.0",
      "/api/v1/update/linux?build=1",
      ...PLATFORMS.map((platform) => `/api/v1/update/${platform}?version=1.0.0&build=1`),
      ...VERSIONS.map((version) => `/api/v1/update/linux?version=${version}&build=1`),
    ];
    await expectEach(paths, async (path) => {
      expectError(await api.get(path), "invalid_update_request");
    });
  },
};
