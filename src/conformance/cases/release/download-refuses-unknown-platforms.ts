import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PLATFORMS = ["ios", "web", "amiga", "Android", "linux%20", "__proto__"];

export const downloadRefusesUnknownPlatforms: ReleaseCase = {
  id: "download-refuses-unknown-platforms",
  title: "A download for any but the four platforms is 404 platform_not_supported",
  section: "release contract, Errors: platform_not_supported; DistributionPlatform",
  async run({ api }) {
    const paths = PLATFORMS.flatMap((platform) => [
      `/api/v1/download/${platform}`,
      `/api/v1/download/${platform}/universal`,
    ]);
    await expectEach(paths, async (path) => {
      expectError(await api.get(path), "platform_not_supported");
    });
  },
};
