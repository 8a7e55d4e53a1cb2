import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PATHS = ["/health", "/download", "/api/v1/releases", "/api/v1/download/linux", "//", "/x"];

export const selectorServesOnlyItsRoot: ReleaseCase = {
  id: "selector-serves-only-its-root",
  title: "The smart-download origin has nothing but the selector, and that answers GET and HEAD",
  section: "release contract, What the service does: the smart-download origin; convention 8",
  async run(target) {
    await expectEach(PATHS, async (path) => {
      expectError(await target.selector().get(path), "not_found");
    });
    expectError(await target.selector().send("POST", "/"), "not_found");
  },
};
