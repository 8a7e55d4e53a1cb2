import { NotTestable } from "../../case.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  violate,
  describeAnswer,
} from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { PUBLIC_PATHS, PROTECTED_PATHS } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const configuredOriginsAreLetIn: SyncCase = {
  id: "configured-origins-are-let-in",
  title: "A configured origin may read every answer, errors too, and caches keep origins apart",
  section: "sync contract, Authentication 7: exact trusted origins",
  async run(target) {
    const { corsOrigin: Origin } = target.input;
    if (Origin === undefined) {
      throw new NotTestable("No configured origin is known; name one with --cors-origin");
    }
    const device = await target.device();
    const paths = [...PUBLIC_PATHS, ...PROTECTED_PATHS, "/v1/pull?limit=0", "/no/such/route"];
    await expectEach(paths, async (path) => {
      const answer = await device.get(path, { Origin });
      if (answer.status === 403) violate(answer.asked, "an answer", describeAnswer(answer));
      expectHeader(answer, "Access-Control-Allow-Origin", Origin);
      expectHeader(answer, "Access-Control-Allow-Credentials", undefined);
      expectHeaderMatch(answer, "Vary", /(?:^|,)\s*origin\s*(?:,|$)/i, "Origin");
    });
    await expectEach(
      [`${Origin}.elsewhere.example`, Origin.toUpperCase(), `${Origin}/`],
      async (other) => {
        expectError(await target.api.get("/v1/health", { Origin: other }), "cors_denied");
      },
    );
  },
};
