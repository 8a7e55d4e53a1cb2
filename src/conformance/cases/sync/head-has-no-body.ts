import { expectHeadHasNoBody } from "../../every-service/head-has-no-body.ts";
import type { SyncCase } from "../../sync/target.ts";

export const headHasNoBody: SyncCase = {
  id: "head-has-no-body",
  title: "Nothing follows the headers of an answer to HEAD",
  section: "Trellis decision, shared by all services: HEAD",
  run: ({ api }) => expectHeadHasNoBody(api, ["/v1/health", "/v1/authorize", "/no/such/route"]),
};
