import { expectEach, violate } from "../../expect.ts";
import type { HttpResponse } from "../../http.ts";
import { expectAnyError } from "../../sync/bodies.ts";
import { JSON_BODY } from "../../sync/device.ts";
import { pagePath } from "../../sync/login-page.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

const MARK = "Zebra-Marzipan-4711";
/** Traces of a stack, of a path in a module, of a database. */
const INSIDE = /\bat [\w.<>]+ \(|node:|node_modules|\.[cm]?[jt]s\b|SQLITE|SELECT |INSERT |postgres/;

export const errorsNeverRepeatTheContent: SyncCase = {
  id: "errors-never-repeat-the-content",
  title: "No error tells what was sent, nor anything of the server's inside",
  section:
    "sync contract, Errors 1; Trellis decision, sync service: messages never repeat the content",
  async run(target) {
    const device = await target.device();
    const { api } = target;
    const operation = createOperation({ deviceId: MARK, entityId: target.newSetting() });
    const questions: (() => Promise<HttpResponse>)[] = [
      () => device.push([{ ...operation, kind: MARK }]),
      () => device.push([{ ...operation, [MARK]: 1 }]),
      () => device.push([{ ...operation, operationId: `operation/${MARK}/2` }]),
      () => device.push([MARK]),
      () => device.get(`/v1/pull?cursor=${MARK}`),
      () => device.get(`/v1/pull?${MARK}=1`),
      () => api.get(pagePath(target, { redirect_uri: `https://${MARK}.example` })),
      () => api.get(`/${MARK}`),
      () => api.send("POST", "/v1/token", JSON_BODY, `{"${MARK}`),
      () => target.post("/v1/token", { grantType: MARK }),
      () => target.post("/v1/refresh", { grantType: "refresh_token", refreshToken: MARK }),
      () => api.get("/v1/device", { Authorization: `Bearer ${MARK}` }),
    ];
    await expectEach(questions, async (ask) => {
      const answer = await ask();
      const { message } = expectAnyError(answer);
      if (message.includes(MARK)) violate(answer.asked, "a text without what was sent", message);
      if (INSIDE.test(message)) violate(answer.asked, "a text for the public", message);
    });
  },
};
