import { encodeFields } from "../../events/authorize.ts";
import { expectError } from "../../events/bodies.ts";
import { FORM, TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";
import type { RequestHeaders } from "../../http.ts";

const FIELDS = { grant_type: "password", client_id: "x" };

export const tokenBodiesMustBeForms: EventsCase = {
  id: "token-bodies-must-be-forms",
  level: "trellis",
  title: "The token route takes url-encoded forms alone; a charset is fine",
  section: "Trellis decision, events service: token, content type",
  async run({ api }) {
    const wrong: RequestHeaders[] = [
      {},
      { "Content-Type": "application/json" },
      { "Content-Type": "multipart/form-data; boundary=x" },
      { "Content-Type": "text/plain" },
      { ...FORM, "Content-Encoding": "gzip" },
    ];
    await expectEach(wrong, async (headers) => {
      expectError(await api.send("POST", TOKEN, headers, encodeFields(FIELDS)), "invalid_request");
    });
    const named = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
    const answer = await api.send("POST", TOKEN, named, encodeFields(FIELDS));
    expectError(answer, "unsupported_grant_type");
  },
};
