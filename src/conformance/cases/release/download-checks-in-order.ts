import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ANSWERS = [
  ["/api/v1/download/amiga?channel=nightly", "platform_not_supported"],
  ["/api/v1/download/amiga/no-such-architecture?channel=nightly", "platform_not_supported"],
  ["/api/v1/download/linux/no-such-architecture?channel=nightly", "invalid_channel"],
] as const;

export const downloadChecksInOrder: ReleaseCase = {
  id: "download-checks-in-order",
  title: "A download checks the platform, then the channel, then the artifact",
  section: "Trellis decision, release service: order of checks",
  async run({ api }) {
    await expectEach(ANSWERS, async ([path, code]) => {
      expectError(await api.get(path), code);
    });
  },
};
