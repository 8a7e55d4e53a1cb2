import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

const WRONG = ["", "nightly", "Stable", "BETA", "stable%20", "stable,beta", "draft"];

export const channelIsStableOrBeta: ReleaseCase = {
  id: "channel-is-stable-or-beta",
  title:
    "Any other channel than stable or beta is 400 invalid_channel on every route that takes one",
  section: "release contract, Errors: invalid_channel; ReleaseChannel",
  async run({ api }) {
    const paths = [
      "/api/v1/releases?",
      "/api/v1/releases/latest?",
      `${updatePath({ version: "1.0.0", build: 1 })}&`,
      "/api/v1/download/linux?",
      "/api/v1/download/linux/x64?",
    ];
    const questions = paths.flatMap((path) => WRONG.map((text) => `${path}channel=${text}`));
    await expectEach(questions, async (path) => {
      expectError(await api.get(path), "invalid_channel");
    });
  },
};
