import { AUTHORIZE } from "../../events/authorize.ts";
import { HEALTH, METADATA } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHeadHasNoBody } from "../../every-service/head-has-no-body.ts";

export const headHasNoBody: EventsCase = {
  id: "head-has-no-body",
  level: "trellis",
  title: "Nothing follows the headers of an answer to HEAD",
  section: "Trellis decision, shared by all services: HEAD",
  run: ({ api }) => expectHeadHasNoBody(api, [HEALTH, METADATA, AUTHORIZE, "/no/such/route"]),
};
