import { CACHE } from "../../../contract/release/routes.ts";
import { expectHeader } from "../../expect.ts";
import { expectHealth } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const healthSaysOk: ReleaseCase = {
  id: "health-says-ok",
  title: "Health is 200 with status, environment and the request's id, and is never stored",
  section: "release contract, GET /health; Health; Trellis decision: Cache-Control of health",
  async run({ api }) {
    const answer = await api.get("/health");
    expectHeader(answer, "X-Request-Id", expectHealth(answer).requestId);
    expectHeader(answer, "Cache-Control", CACHE.never);
  },
};
