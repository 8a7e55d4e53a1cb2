/** The sign-in with a passkey. It leads to the same page, in the same session, as that with the password. */
import type { PasskeySignInBody } from "../../contract/passkey-pages.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse } from "../../http/response.ts";
import { hasSignedInFrom } from "../../identity/known-browsers.ts";
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { EventsRecords } from "../store.ts";
import type { HandlerResult } from "./proof-exchange.ts";
import { readSignInRequest } from "./sign-in-request.ts";

export function createPasskeySignIn(dependencies: EventsDependencies) {
  const { passkeys, store, security, admission, sessions, now } = dependencies;

  return {
    async signInWithPasskey(
      _input: unknown,
      context: RequestContext<undefined, { readonly value: PasskeySignInBody }>,
    ): HandlerResult {
      if (passkeys === null) return { kind: "unknown-path", status: 404 };
      const body = context.content.value;
      const request = readSignInRequest(dependencies, body.csrf, context);
      if (request === null) return errorResponse("csrf_failed");
      // The token is that of one interaction in one browser.
      const attempt = body.csrf;
      if (body.action === "begin") {
        return (await request.isLive(store.reads))
          ? jsonResponse(200, JSON.stringify(passkeys.beginSignIn(attempt, now())))
          : errorResponse("interaction_expired");
      }
      const { credential } = body;
      const origin = sessions.readSignInOrigin(context);
      const complete = async (records: EventsRecords, note: NoteSecurityEvent): HandlerResult => {
        const { identity } = records;
        const result = await passkeys.completeSignIn(identity, { attempt, credential }, now());
        if (result.kind === "failed") {
          if (result.reason === "counter-went-back") {
            await note("passkey-counter-went-back", origin.address);
          }
          return errorResponse("authentication_failed");
        }
        const { accountId, username } = result;
        if (!(await hasSignedInFrom(identity, { username, ...origin }, now()))) {
          await note("new-device", origin.address);
        }
        const cookies = await sessions.open(records, accountId, context);
        return { ...jsonResponse(200, JSON.stringify({ next: request.next })), cookies };
      };
      return admission.complete(origin, () => security.transaction(complete));
    },
  };
}
