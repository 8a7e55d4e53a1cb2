import { DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ARCHITECTURES = ["no-such-architecture", "X64", "x64%20", "Universal", "x%252064", "a%2Fb"];

export const downloadRefusesUnknownArchitectures: ReleaseCase = {
  id: "download-refuses-unknown-architectures",
  title: "An architecture the release does not have, letter for letter, is artifact_not_found",
  section: "release contract, Errors: artifact_not_found; Trellis decision: architecture match",
  async run(target) {
    await expectEach(await target.latestOfEach(), async ({ channel, artifacts }) => {
      const held = new Set(artifacts.map(({ architecture }) => encodeURIComponent(architecture)));
      const paths = DISTRIBUTION_PLATFORMS.flatMap((platform) =>
        ARCHITECTURES.filter((text) => !held.has(text)).map(
          (text) => `/api/v1/download/${platform}/${text}?channel=${channel}`,
        ),
      );
      await expectEach(paths, async (path) => {
        expectError(await target.api.get(path), "artifact_not_found");
      });
    });
  },
};
