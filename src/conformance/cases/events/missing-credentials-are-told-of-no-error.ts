import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeader, expectNoBody, expectStatus } from "../../expect.ts";
import type { RequestHeaders } from "../../http.ts";

export const missingCredentialsAreToldOfNoError: EventsCase = {
  id: "missing-credentials-are-told-of-no-error",
  level: "trellis",
  title: "Who sends no token is told of Bearer alone, with 401 and without a body",
  section: "Trellis decision, events service: events, no Authorization (RFC 6750 3.1)",
  async run({ api }) {
    await expectEach([{}, { Authorization: "Basic eDp5" }], async (headers: RequestHeaders) => {
      const answer = await api.get(`${EVENTS}?limit=1`, headers);
      expectStatus(answer, 401);
      expectHeader(answer, "WWW-Authenticate", 'Bearer realm="events"');
      expectNoBody(answer);
    });
  },
};
