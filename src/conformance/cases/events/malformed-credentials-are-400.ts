import { expectError } from "../../events/bodies.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeaderMatch } from "../../expect.ts";

export const malformedCredentialsAre400: EventsCase = {
  id: "malformed-credentials-are-400",
  level: "trellis",
  title: "A malformed Authorization header is 400 invalid_request",
  section: "Trellis decision, events service: events, malformed header (RFC 6750 3.1)",
  async run({ api }) {
    await expectEach(["Bearer", "Bearer a b", "Bearer \u00e4", "Bearer a,b"], async (value) => {
      const answer = await api.get(`${EVENTS}?limit=1`, { Authorization: value });
      expectError(answer, "invalid_request");
      expectHeaderMatch(
        answer,
        "WWW-Authenticate",
        /^Bearer realm="events", error="invalid_request"/,
        "Bearer and the error",
      );
    });
  },
};
