import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PATHS = [
  "//health",
  "/api//v1/manifest",
  "/api/v1//releases",
  "/api/v1/releases//latest",
  "/api/v1/releases//downloads",
  "/api/v1/download//x64",
];

export const emptySegmentsAreNotFound: ReleaseCase = {
  id: "empty-segments-are-not-found",
  title: "Two slashes in a row are not read as one",
  section: "Trellis decision, shared by all services: paths are exact",
  async run({ api }) {
    await expectEach(PATHS, async (path) => {
      expectError(await api.get(path), "not_found");
    });
  },
};
