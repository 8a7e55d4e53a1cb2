import { expectEach, expectStatus } from "../../expect.ts";
import { expectAnyError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PATHS = [
  "/./health",
  "/api/../health",
  "/api/v1/../v1/manifest",
  "/api/v1/./releases",
  "/api/v1/releases/../releases/latest",
  "/api/v1/releases/..",
  "/%2e%2e/health",
  "/api/v1/releases/%2e%2e/manifest",
];

export const dotSegmentsAreNotResolved: ReleaseCase = {
  id: "dot-segments-are-not-resolved",
  title: "Dot segments of a raw path lead nowhere",
  section: "Trellis decision, release service: dot segments in a raw path",
  async run({ api }) {
    await expectEach(PATHS, async (path) => {
      const answer = await api.get(path);
      expectAnyError(answer);
      expectStatus(answer, 404);
    });
  },
};
