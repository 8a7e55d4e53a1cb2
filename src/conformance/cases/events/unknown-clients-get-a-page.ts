import { askToAuthorize, expectErrorPage } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const unknownClientsGetAPage: EventsCase = {
  id: "unknown-clients-get-a-page",
  level: "trellis",
  title: "A missing, repeated or unknown client_id is a page with status 400",
  section: "Trellis decision, events service: authorize, check 1",
  async run(target) {
    expectErrorPage(await askToAuthorize(target, { client_id: undefined }));
    expectErrorPage(await askToAuthorize(target, { client_id: "" }));
    expectErrorPage(await askToAuthorize(target, { client_id: `nobody-${randomText(12)}` }));
    expectErrorPage(await askToAuthorize(target, {}, `&client_id=${target.clientId()}`));
    expectErrorPage(await askToAuthorize(target, { client_id: undefined }, "&client_id=%ff"));
  },
};
