import { expectHeadHasNoBody } from "../../every-service/head-has-no-body.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const headHasNoBody: ReleaseCase = {
  id: "head-has-no-body",
  title: "Nothing follows the headers of an answer to HEAD",
  section: "Trellis decision, shared by all services: HEAD",
  run: ({ api }) => expectHeadHasNoBody(api, ["/health", "/api/v1/releases", "/no/such/route"]),
};
