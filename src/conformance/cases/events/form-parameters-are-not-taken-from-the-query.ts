import { expectError } from "../../events/bodies.ts";
import { TOKEN, type EventsCase } from "../../events/target.ts";

export const formParametersAreNotTakenFromTheQuery: EventsCase = {
  id: "form-parameters-are-not-taken-from-the-query",
  level: "trellis",
  title: "Parameters in the address of the token route are invalid_request",
  section: "Trellis decision, events service: token, parameters in the query",
  async run(target) {
    const fields = { grant_type: "password" };
    const path = `${TOKEN}?client_id=${encodeURIComponent(target.clientId())}`;
    expectError(await target.postForm(path, fields), "invalid_request");
    expectError(await target.postForm(`${TOKEN}?x=1`, fields), "invalid_request");
  },
};
