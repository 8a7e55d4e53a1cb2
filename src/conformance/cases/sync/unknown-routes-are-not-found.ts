import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { JSON_BODY } from "../../sync/device.ts";
import type { SyncCase } from "../../sync/target.ts";

const PATHS = [
  "/",
  "/v1",
  "/v1/register",
  "/v1/account",
  "/v1/devices",
  "/v1/healthz",
  "/v1/health/x",
  "/v2/health",
  "/health",
  "/favicon.ico",
  "/v1/nothing?x=1&x=2",
  "/v1/nothing?%zz",
];

export const unknownRoutesAreNotFound: SyncCase = {
  id: "unknown-routes-are-not-found",
  title: "A route that does not exist is 404, whatever its query and its method",
  section: "Trellis decision, sync service: not_found",
  async run({ api }) {
    await expectEach(PATHS, async (path) => void expectError(await api.get(path), "not_found"));
    expectError(await api.send("POST", "/v1/register", JSON_BODY, "{}"), "not_found");
    expectError(await api.send("DELETE", "/v1/nothing"), "not_found");
  },
};
