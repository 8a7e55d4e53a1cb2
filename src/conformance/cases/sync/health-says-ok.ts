import { expectHealth } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const healthSaysOk: SyncCase = {
  id: "health-says-ok",
  title: "GET /v1/health answers exactly its status and version",
  section: "sync contract, Endpoints: GET /v1/health; Trellis decision, sync service: its body",
  async run({ api }) {
    expectHealth(await api.get("/v1/health"));
  },
};
