import { expectEach } from "../../expect.ts";
import type { HttpResponse } from "../../http.ts";
import { expectCompleted, expectError } from "../../sync/bodies.ts";
import { newAttempt, challenge, completion, complete, AUTHORIZE } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const actionsNeedTheCsrfHeader: SyncCase = {
  id: "actions-need-the-csrf-header",
  title: "begin and complete need the CSRF header with the value of csrf, which is the state",
  section: "sync contract, POST /v1/authorize; Authentication 4: matching state",
  async run(target) {
    const { attempt } = await newAttempt(target);
    const { state } = attempt;
    const other = "another-state-0123456789";
    const body = { action: "begin", csrf: state, attempt };
    const header = target.csrfHeader;
    const done = await completion(target, await challenge(target));
    const questions: (() => Promise<HttpResponse>)[] = [
      () => target.post(AUTHORIZE, body),
      () => target.post(AUTHORIZE, body, { [header]: "" }),
      () => target.post(AUTHORIZE, body, { [header]: other }),
      () => target.post(AUTHORIZE, body, { [header]: state.slice(0, -1) }),
      () => target.post(AUTHORIZE, { ...body, csrf: other }, { [header]: state }),
      () => target.post(AUTHORIZE, { ...body, csrf: other }, { [header]: other }),
      () => target.post(AUTHORIZE, { ...body, csrf: "" }, { [header]: "" }),
      () => target.post(AUTHORIZE, body, { "X-CSRF": state }),
      () => target.post(AUTHORIZE, done),
      () => target.post(AUTHORIZE, done, { [header]: other }),
    ];
    await expectEach(questions, async (ask) => {
      expectError(await ask(), "csrf_failed");
    });
    expectCompleted(await complete(target, done));
  },
};
