import { expectEach, expectHeader, violate } from "../../expect.ts";
import { askPreflight } from "../../every-service/preflight.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

const NAMES = [
  "Access-Control-Allow-Origin",
  "Access-Control-Allow-Methods",
  "Access-Control-Allow-Headers",
];

export const corsIsNeverAWildcard: SyncCase = {
  id: "cors-is-never-a-wildcard",
  title: "No answer lets any origin in, nor credentials",
  section: "sync contract, Authentication 7: no wildcard, no credentials",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeader(answer, "Access-Control-Allow-Origin", undefined);
      expectHeader(answer, "Access-Control-Allow-Credentials", undefined);
    });
    const { corsOrigin } = target.input;
    const answers = [
      await target.api.get("/v1/health", { Origin: "*" }),
      ...(corsOrigin === undefined
        ? []
        : [await askPreflight(target, corsOrigin, "/v1/push", "POST")]),
    ];
    await expectEach(answers, (answer) => {
      for (const name of NAMES) {
        if (answer.header(name)?.includes("*") === true)
          violate(answer.asked, `${name} without *`, "*");
      }
      expectHeader(answer, "Access-Control-Allow-Credentials", undefined);
    });
  },
};
