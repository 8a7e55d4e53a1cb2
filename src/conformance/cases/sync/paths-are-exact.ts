import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

const PATHS = [
  "/V1/health",
  "/v1/Health",
  "/v1/health/",
  "//v1/health",
  "/v1//health",
  "/v1/./health",
  "/v1/x/../health",
  "/v1%2Fhealth",
  "/v1/he%2561lth",
  "/v1/health%2F",
  "/v1/health;x",
];

export const pathsAreExact: SyncCase = {
  id: "paths-are-exact",
  title: "Paths are case-sensitive, without trailing slashes, empty segments or dot segments",
  section: "Trellis decision, shared by all services: paths are exact",
  async run({ api }) {
    await expectEach(PATHS, async (path) => void expectError(await api.get(path), "not_found"));
  },
};
