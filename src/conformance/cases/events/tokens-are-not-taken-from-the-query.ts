import { expectError } from "../../events/bodies.ts";
import { EVENTS, FORM, type EventsCase } from "../../events/target.ts";

export const tokensAreNotTakenFromTheQuery: EventsCase = {
  id: "tokens-are-not-taken-from-the-query",
  level: "trellis",
  title: "A token in the query or in a form is 400 invalid_request, even beside a good header",
  section: "Trellis decision, events service: events, a token in the query or a form",
  async run(target) {
    const token = await target.token();
    const Authorization = `Bearer ${token}`;
    const path = `${EVENTS}?limit=1&access_token=${token}`;
    expectError(await target.api.get(path), "invalid_request");
    expectError(await target.api.get(path, { Authorization }), "invalid_request");
    const form = `access_token=${token}`;
    const headers = { ...FORM, "Content-Length": String(form.length) };
    const answer = await target.api.send("GET", `${EVENTS}?limit=1`, headers, form);
    expectError(answer, "invalid_request");
  },
};
