import { expectOtherMethodsRefused } from "../../every-service/other-methods.ts";
import { expectError } from "../../sync/bodies.ts";
import { METHODS } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const otherMethodsAre405: SyncCase = {
  id: "other-methods-are-405",
  title: "Another method on a known path is 405, and Allow names those there are",
  section: "Trellis decision, shared by all services: other methods",
  run: ({ api }) =>
    expectOtherMethodsRefused(api, METHODS, (answer) => {
      expectError(answer, "method_not_allowed");
    }),
};
