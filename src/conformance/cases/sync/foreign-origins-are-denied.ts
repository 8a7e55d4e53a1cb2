import { expectEach, expectHeader } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { METHODS, FOREIGN_ORIGIN } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const foreignOriginsAreDenied: SyncCase = {
  id: "foreign-origins-are-denied",
  title: "A request from any other origin is 403 on every route, and can read nothing",
  section: "sync contract, Authentication 7; Trellis decision, sync service: cors_denied",
  async run(target) {
    const own = new URL(target.publicUrl);
    const origins = [
      FOREIGN_ORIGIN,
      "null",
      `${own.origin}.elsewhere.example`,
      `${own.protocol === "https:" ? "http:" : "https:"}//${own.host}`,
      `${own.protocol}//${own.hostname}:1`,
      `${own.origin}/`,
    ];
    const device = await target.device();
    const questions = [
      ...Object.entries(METHODS).map(([path, [method = "GET"]]) => ({
        path,
        method,
        Origin: FOREIGN_ORIGIN,
      })),
      ...origins.map((Origin) => ({ path: "/v1/health", method: "GET", Origin })),
    ];
    await expectEach(questions, async ({ path, method, Origin }) => {
      const answer = await target.api.send(method, path, { ...device.bearer, Origin });
      expectError(answer, "cors_denied");
      expectHeader(answer, "Access-Control-Allow-Origin", undefined);
    });
  },
};
