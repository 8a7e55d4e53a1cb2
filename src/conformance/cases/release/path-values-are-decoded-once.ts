import { expectSame } from "../../expect.ts";
import { expectError, expectRelease } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const pathValuesAreDecodedOnce: ReleaseCase = {
  id: "path-values-are-decoded-once",
  title: "A value in a path is percent-decoded once, and only once",
  section: "Trellis decision, shared by all services: percent-decoding once",
  async run(target) {
    const [newest] = await target.latestOfEach();
    const version = newest?.version ?? "";
    const once = await target.api.get(`/api/v1/releases/${version.replaceAll(".", "%2E")}`);
    expectSame(once, "the release", expectRelease(once).version, version);
    const twice = await target.api.get(`/api/v1/releases/${version.replaceAll(".", "%252E")}`);
    expectError(twice, "release_not_found");
  },
};
