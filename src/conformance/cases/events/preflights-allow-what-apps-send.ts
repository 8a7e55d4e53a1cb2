import { METADATA } from "../../events/routes.ts";
import { EVENTS, REVOKE, TOKEN, type EventsCase } from "../../events/target.ts";
import { describeAnswer, expectEach, expectNoBody, expectStatus, violate } from "../../expect.ts";
import { allowsInBrowser, askPreflight } from "../../every-service/preflight.ts";

const ORIGIN = "https://app.example.org";

export const preflightsAllowWhatAppsSend: EventsCase = {
  id: "preflights-allow-what-apps-send",
  level: "trellis",
  title: "A browser's preflight lets apps send a token and a content type from any origin",
  section: "Trellis decision, events service: CORS",
  async run(target) {
    const questions = [
      [TOKEN, "POST", ["content-type"]],
      [REVOKE, "POST", ["content-type"]],
      [EVENTS, "GET", ["authorization"]],
      [METADATA, "GET", []],
    ] as const;
    await expectEach(questions, async ([path, method, headers]) => {
      const answer = await askPreflight(target, ORIGIN, path, method, headers);
      expectStatus(answer, 204);
      expectNoBody(answer);
      if (allowsInBrowser(answer, ORIGIN, method, headers)) return;
      violate(answer.asked, "a preflight that browsers take for a yes", describeAnswer(answer));
    });
  },
};
