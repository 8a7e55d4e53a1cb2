import { AUTHORIZE } from "../../events/authorize.ts";
import { HEALTH, METADATA } from "../../events/routes.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeader, expectStatus } from "../../expect.ts";
import type { RequestHeaders } from "../../http.ts";

const HEADERS = ["Content-Type", "Cache-Control", "WWW-Authenticate"];

export const headAnswersLikeGet: EventsCase = {
  id: "head-answers-like-get",
  level: "trellis",
  title: "HEAD answers with the status and headers of GET",
  section: "Trellis decision, shared by all services: HEAD",
  async run(target) {
    const Authorization = `Bearer ${await target.token()}`;
    const questions: (readonly [string, RequestHeaders])[] = [
      [HEALTH, {}],
      [METADATA, {}],
      [`${EVENTS}?limit=1`, { Authorization }],
      [`${EVENTS}?limit=0`, { Authorization }],
      [EVENTS, {}],
      [AUTHORIZE, {}],
      ["/no/such/route", {}],
    ];
    await expectEach(questions, async ([path, headers]) => {
      const get = await target.api.get(path, headers);
      const head = await target.api.send("HEAD", path, headers);
      expectStatus(head, get.status);
      for (const name of HEADERS) expectHeader(head, name, get.header(name));
    });
  },
};
