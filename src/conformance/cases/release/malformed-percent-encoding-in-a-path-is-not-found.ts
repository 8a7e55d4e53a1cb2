import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const PATHS = [
  "/%",
  "/health%",
  "/api/v1/releases/%zz",
  "/api/v1/releases/1.0.0%2",
  "/api/v1/releases/%E0%A4%A",
  "/api/v1/update/%?version=1.0.0&build=1",
  "/api/v1/download/linux/%g0",
];

export const malformedPercentEncodingInAPathIsNotFound: ReleaseCase = {
  id: "malformed-percent-encoding-in-a-path-is-not-found",
  title: "A path that cannot be decoded is 404 not_found",
  section: "Trellis decision, release service: malformed percent-encoding in a path",
  async run({ api }) {
    await expectEach(PATHS, async (path) => {
      expectError(await api.get(path), "not_found");
    });
  },
};
