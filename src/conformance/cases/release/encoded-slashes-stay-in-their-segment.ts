import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const encodedSlashesStayInTheirSegment: ReleaseCase = {
  id: "encoded-slashes-stay-in-their-segment",
  title: "An encoded slash is a character of its segment and separates nothing",
  section: "Trellis decision, shared by all services: paths are exact, decoded once",
  async run(target) {
    const [newest] = await target.latestOfEach();
    const version = newest?.version;
    const answers = [
      [`/api/v1/releases/${version}%2Fdownloads`, "release_not_found"],
      [`/api/v1/releases%2F${version}`, "not_found"],
      ["/api/v1/download/linux%2Fx64", "platform_not_supported"],
      ["/api%2Fv1/manifest", "not_found"],
    ] as const;
    await expectEach(answers, async ([path, code]) => {
      expectError(await target.api.get(path), code);
    });
  },
};
