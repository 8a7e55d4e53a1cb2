/** Passkeys on the owner's page: sign-in with one, and those of the account. */
import type {
  AddPasskeyBody,
  PasskeyError,
  PasskeyNotice,
  PasskeySignInBody,
} from "../../contract/passkey-pages.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import type { Passkeys } from "../../identity/passkeys/passkeys.ts";
import { errorResponse } from "../responses/error-response.ts";
import { readSignInOrigin } from "../sign-in/password-sign-in.ts";
import { proofResponse } from "../sign-in/proof-responses.ts";
import { changeInSession, noteInHistory } from "./change-in-session.ts";
import { ownerAddress, toOwnerPage } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";
import type { OwnerActions } from "./owner-forms.ts";
import type { JsonContext } from "./owner-proofs.ts";
import type { ShowOwner } from "./show-owner.ts";

type Handled = Promise<HttpResponse | HttpError>;

const UNKNOWN: HttpError = { kind: "unknown-path" };

export function createOwnerPasskeys(dependencies: OwnerDependencies, show: ShowOwner) {
  const { passkeySignIn, passkeys, store, sessions, csrf, now } = dependencies;

  return {
    handlers: { ownerPasskeySignIn, addOwnerPasskey },
    actions: passkeys === null ? {} : createActions(passkeys),
  };

  async function ownerPasskeySignIn(
    _input: unknown,
    context: JsonContext<PasskeySignInBody>,
  ): Handled {
    if (passkeySignIn === null) return UNKNOWN;
    const body = context.content.value;
    const browser = sessions.readBrowser(context);
    const isOwn =
      browser !== "" &&
      !isCrossOrigin(context) &&
      csrf.readSignInToken(body.csrf, browser) !== null;
    if (!isOwn) return errorResponse("csrf_failed", context.requestId);
    // The token is that of one sign-in in one browser.
    const attempt = body.csrf;
    if (body.action === "begin") {
      return jsonResponse(200, JSON.stringify(passkeySignIn.begin(attempt)));
    }
    const { credential } = body;
    const origin = readSignInOrigin(context);
    const request = { attempt, credential, purpose: "page", ...origin } as const;
    const result = await passkeySignIn.prove(request, async (records, proof, note) => {
      if (!proof.isKnownBrowser) await note("new-device", origin.address);
      return sessions.open(records, proof.accountId, context);
    });
    const next = ownerAddress(context);
    const response = proofResponse(result, context.requestId, () => ({ next }));
    return result.kind === "granted" ? { ...response, cookies: [result.value] } : response;
  }

  async function addOwnerPasskey(_input: unknown, context: JsonContext<AddPasskeyBody>): Handled {
    if (passkeys === null) return UNKNOWN;
    const body = context.content.value;
    const { requestId } = context;
    const session = await sessions.find(context);
    const isVerified =
      session !== null &&
      !isCrossOrigin(context) &&
      csrf.isSessionToken(body.csrf, session.sessionHash);
    if (!isVerified) return errorResponse("csrf_failed", requestId);
    if (!isFresh(session, now())) return errorResponse("authentication_failed", requestId);
    const { sessionHash: attempt } = session;
    if (body.action === "begin") {
      const creation = await store.transaction(({ identity }) =>
        passkeys.beginAdd(identity, session, attempt, now()),
      );
      return jsonResponse(200, JSON.stringify(creation));
    }
    const given = { attempt, credential: body.credential, name: body.name };
    const response = await changeInSession(dependencies, session, async ({ identity }, note) => {
      const result = await passkeys.completeAdd(identity, session, given, now());
      if (result.kind === "added") {
        await note("passkey-added", context.clientAddress());
        await noteInHistory(identity, session, "passkey-added", context, now());
        return jsonResponse(200, JSON.stringify({ next: ownerAddress(context, "passkey-added") }));
      }
      const isInvalid = result.kind === "too-many" || result.reason === "invalid-name";
      return errorResponse(isInvalid ? "invalid_request" : "authentication_failed", requestId);
    });
    return response ?? errorResponse("csrf_failed", requestId);
  }

  function createActions(passkeys: Passkeys): OwnerActions {
    const showResult = (
      context: RequestContext,
      session: BrowserSession,
      result: { readonly notice: PasskeyNotice } | { readonly error: PasskeyError },
    ) =>
      "notice" in result
        ? toOwnerPage(context, result.notice)
        : show(context, session, result.error);
    return {
      async "name-passkey"(form, context, session) {
        const renamed = await store.transaction(({ identity }) =>
          passkeys.rename(identity, session.accountId, readId(form), form.get("name") ?? ""),
        );
        return showResult(context, session, RENAMED[renamed]);
      },
      async "remove-passkey"(form, context, session) {
        if (!isFresh(session, now())) return show(context, session, "not-fresh");
        const removed = await changeInSession(dependencies, session, async ({ identity }, note) => {
          const result = await passkeys.remove(identity, session, readId(form));
          if (result.kind !== "removed") return result;
          await note("passkey-removed", context.clientAddress());
          await noteInHistory(identity, session, "passkey-removed", context, now());
          return result;
        });
        if (removed === null) return toOwnerPage(context);
        return showResult(context, session, REMOVED[removed.kind]);
      },
    };
  }
}

const RENAMED = {
  renamed: { notice: "passkey-named" },
  unknown: { error: "passkey-gone" },
  "invalid-name": { error: "passkey-name-invalid" },
} as const;

const REMOVED = {
  removed: { notice: "passkey-removed" },
  unknown: { error: "passkey-gone" },
  "last-way-in": { error: "last-way-in" },
} as const;

const CREDENTIAL_ID = /^[A-Za-z0-9_-]+$/;

/** Empty for a text that no passkey can have, some of which PostgreSQL would refuse. */
function readId(form: URLSearchParams): string {
  const id = form.get("passkey") ?? "";
  return CREDENTIAL_ID.test(id) ? id : "";
}
