/** The routes of Trellis with a request that each takes, for what must hold on all of them. */
import { expectEach } from "../expect.ts";
import type { HttpResponse } from "../http.ts";
import { AUTHORIZE, askToAuthorize } from "./authorize.ts";
import { EVENTS, FORM, REVOKE, TOKEN, type EventsTarget } from "./target.ts";

export const METADATA = "/.well-known/oauth-authorization-server";
export const HEALTH = "/health";

/** Which methods a path takes. */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  [AUTHORIZE]: ["GET", "HEAD"],
  [TOKEN]: ["POST"],
  [REVOKE]: ["POST"],
  [EVENTS]: ["GET", "HEAD"],
  [METADATA]: ["GET", "HEAD"],
  [HEALTH]: ["GET", "HEAD"],
};

/** Trellis decision, shared by all services: a longer request target is refused. */
export const MAX_TARGET_BYTES = 8 * 1024;

/** Checks an answer of every kind there is. What needs a token or a client is left out without one. */
export async function expectOfEveryResponse(
  target: EventsTarget,
  check: (answer: HttpResponse) => void,
): Promise<void> {
  const { api } = target;
  const questions: (() => Promise<HttpResponse>)[] = [
    () => api.get(HEALTH),
    () => api.get(METADATA),
    () => api.get(AUTHORIZE),
    () => askToAuthorize(target),
    () => askToAuthorize(target, { response_type: "token" }),
    () => api.get("/sign-in", { Accept: "text/html" }),
    () => api.get(`${EVENTS}?limit=1`),
    () => target.list("limit=1"),
    () => target.list("limit=0"),
    () => target.redeem({ grant_type: "authorization_code" }),
    () => target.redeem({ grant_type: "password" }),
    () => api.send("POST", TOKEN, FORM, "x".repeat(17 * 1024)),
    () => target.postForm(REVOKE, {}),
    () => target.postForm(REVOKE, { token: "none", client_id: target.clientId() }),
    () => api.get("/no/such/route"),
    () => api.get("/no/such/route", { Accept: "text/html" }),
    () => api.get("/%zz"),
    () => api.get(`/${"y".repeat(MAX_TARGET_BYTES)}`),
    () => api.send("PUT", EVENTS),
    () => api.send("HEAD", HEALTH),
  ];
  await expectEach(questions, async (ask) => check(await ask()));
}
