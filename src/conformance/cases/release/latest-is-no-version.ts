import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const latestIsNoVersion: ReleaseCase = {
  id: "latest-is-no-version",
  title: "The downloads of `latest` are 404 release_not_found: no version is called that",
  section: "Trellis decision, release service: /api/v1/releases/latest/downloads",
  async run({ api }) {
    expectError(await api.get("/api/v1/releases/latest/downloads"), "release_not_found");
  },
};
