import { expectHealth } from "../../events/bodies.ts";
import { HEALTH } from "../../events/routes.ts";
import { TOKEN, type EventsCase } from "../../events/target.ts";
import { sendMalformedHttp } from "../../every-service/malformed-http.ts";

export const malformedHttpDoesNotStopTheServer: EventsCase = {
  id: "malformed-http-does-not-stop-the-server",
  level: "trellis",
  title: "Bytes that are no HTTP do not keep the service from answering the next request",
  section: "Trellis decision, events service: health",
  async run({ api }) {
    await sendMalformedHttp(api, HEALTH, TOKEN);
    expectHealth(await api.get(HEALTH));
  },
};
