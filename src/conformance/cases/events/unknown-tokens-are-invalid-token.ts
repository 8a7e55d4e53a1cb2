import { expectError } from "../../events/bodies.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeaderMatch } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const unknownTokensAreInvalidToken: EventsCase = {
  id: "unknown-tokens-are-invalid-token",
  level: "trellis",
  title: "A token that nobody knows is 401 invalid_token, and the header says so",
  section: "Trellis decision, events service: events, unknown token (RFC 6750 3.1)",
  async run({ api }) {
    await expectEach([randomText(43), `tre_at_${randomText(43)}`], async (token) => {
      const answer = await api.get(`${EVENTS}?limit=1`, { Authorization: `Bearer ${token}` });
      expectError(answer, "invalid_token");
      expectHeaderMatch(
        answer,
        "WWW-Authenticate",
        /^Bearer realm="events", error="invalid_token"/,
        "Bearer and the error",
      );
    });
  },
};
