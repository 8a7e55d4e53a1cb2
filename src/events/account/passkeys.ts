/** The passkeys of the signed-in account: added by script, renamed and removed by forms of the settings. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { AddPasskeyBody, PasskeyError, PasskeysView } from "../../contract/passkey-pages.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { SignedInSession } from "../sign-in/page-sessions.ts";
import type { HandlerResult } from "../sign-in/proof-exchange.ts";
import { noticePath, noticeResponse, type AccountPageActions } from "./account-page.ts";

const SETTINGS = EVENTS_PAGE_ROUTES.getSettingsPage.path;

/** Shows the settings with an error. */
type ShowError = (page: SignedInSession, error: PasskeyError) => Promise<HttpResponse>;

export type AccountPasskeys = ReturnType<typeof createAccountPasskeys>;

export function createAccountPasskeys({
  passkeys,
  store,
  security,
  sessions,
  csrf,
  now,
}: EventsDependencies) {
  return {
    /** Null where the service has no passkeys. */
    async view({ session }: SignedInSession): Promise<PasskeysView | null> {
      if (passkeys === null) return null;
      const stored = await store.reads.identity.listPasskeys(session.accountId);
      return {
        passkeys: stored.map(({ credentialId, name, createdAt, lastUsedAt }) => ({
          credentialId,
          name,
          createdAt,
          lastUsedAt,
        })),
        isFresh: isFresh(session, now()),
      };
    },

    actions: (showError: ShowError): AccountPageActions["actions"] =>
      passkeys === null
        ? {}
        : {
            async "name-passkey"(page, form) {
              const { accountId } = page.session;
              const result = await store.transaction(({ identity }) =>
                passkeys.rename(identity, accountId, form.text("passkey"), form.text("name")),
              );
              switch (result) {
                case "renamed":
                  return noticeResponse(SETTINGS, "passkey-named");
                case "unknown":
                  return showError(page, "passkey-gone");
                case "invalid-name":
                  return showError(page, "passkey-name-invalid");
              }
            },
            async "remove-passkey"(page, form, context) {
              const { session } = page;
              if (!isFresh(session, now())) return showError(page, "not-fresh");
              const result = await security.transaction(async ({ identity, ...records }, note) => {
                // A change of the password has closed the session meanwhile.
                const isLive = await records.sessions.isLive(session.sessionHash, now());
                if (!isLive) return { kind: "signed-out" } as const;
                const removed = await passkeys.remove(identity, session, form.text("passkey"));
                if (removed.kind === "removed") {
                  await note("passkey-removed", context.clientAddress());
                }
                return removed;
              });
              switch (result.kind) {
                case "signed-out":
                  return redirectResponse(303, SETTINGS);
                case "removed":
                  return noticeResponse(SETTINGS, "passkey-removed");
                case "unknown":
                  return showError(page, "passkey-gone");
                case "last-way-in":
                  return showError(page, "last-way-in");
              }
            },
          },

    async addPasskey(
      _input: unknown,
      context: RequestContext<undefined, { readonly value: AddPasskeyBody }>,
    ): HandlerResult {
      if (passkeys === null) return { kind: "unknown-path", status: 404 };
      const body = context.content.value;
      const session = await sessions.find(context);
      if (session === null || !isOwnRequest(session, body.csrf, context)) {
        return errorResponse("csrf_failed");
      }
      const { sessionHash } = session;
      if (!isFresh(session, now())) {
        return errorResponse("authentication_failed", { description: SIGN_IN_AGAIN });
      }
      if (body.action === "begin") {
        const creation = await store.transaction(({ identity }) =>
          passkeys.beginAdd(identity, session, sessionHash, now()),
        );
        return jsonResponse(200, JSON.stringify(creation));
      }
      const { name, credential } = body;
      const given = { attempt: sessionHash, credential, name };
      return security.transaction(async (records, note): HandlerResult => {
        // A change of the password has closed the session meanwhile.
        const isLive = await records.sessions.isLive(sessionHash, now());
        if (!isLive) return errorResponse("csrf_failed");
        const result = await passkeys.completeAdd(records.identity, session, given, now());
        switch (result.kind) {
          case "failed":
            return errorResponse(
              result.reason === "invalid-name" ? "invalid_request" : "authentication_failed",
            );
          case "too-many":
            return errorResponse("invalid_request");
          case "added":
            await note("passkey-added", context.clientAddress());
            return jsonResponse(200, ADDED);
        }
      });
    },
  };

  function isOwnRequest({ sessionHash }: BrowserSession, token: string, context: RequestContext) {
    return !isCrossOrigin(context) && csrf.isSessionToken(token, sessionHash);
  }
}

const SIGN_IN_AGAIN = "The sign-in is too old for this, or the attempt has expired; sign in again";
const ADDED = JSON.stringify({ next: noticePath(SETTINGS, "passkey-added") });
