import { expectError } from "../../events/bodies.ts";
import { REVOKE, TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeaderMatch } from "../../expect.ts";

export const basicIsRefused: EventsCase = {
  id: "basic-is-refused",
  level: "trellis",
  title: "HTTP Basic is 401 invalid_client, and the answer names the scheme",
  section: "Trellis decision, events service: token, HTTP Basic (RFC 6749 5.2)",
  async run(target) {
    const Authorization = `Basic ${Buffer.from(`${target.clientId()}:`).toString("base64")}`;
    await expectEach([TOKEN, REVOKE], async (path) => {
      const answer = await target.postForm(path, {}, { Authorization });
      expectError(answer, "invalid_client");
      expectHeaderMatch(answer, "WWW-Authenticate", /^Basic realm="/, "Basic and a realm");
    });
  },
};
