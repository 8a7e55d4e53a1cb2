import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PATHS = [
  "/api/v1/update/amiga?version=1.0.0&build=1&channel=nightly",
  "/api/v1/update/linux?build=1&channel=nightly",
  "/api/v1/update/linux?channel=nightly&version=1.0.0&build=0",
];

export const updateChecksTheChannelLast: ReleaseCase = {
  id: "update-checks-the-channel-last",
  title: "When a coordinate and the channel are wrong, the answer is invalid_update_request",
  section: "Trellis decision, release service: order of checks",
  async run({ api }) {
    await expectEach(PATHS, async (path) => {
      expectError(await api.get(path), "invalid_update_request");
    });
  },
};
