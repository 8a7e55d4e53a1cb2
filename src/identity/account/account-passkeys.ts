/** The passkeys of an account: added by script, renamed and removed by forms. */
import type { AddPasskeyBody, PasskeyError, PasskeyNotice } from "../../contract/passkey-pages.ts";
import { isFresh, type BrowserSession } from "../browser-sessions.ts";
import type { AccountContext } from "./account-context.ts";
import {
  refuse,
  respond,
  type AccountRecords,
  type AccountRequest,
  type AccountResponse,
} from "./account-service.ts";
import { SIGN_IN_AGAIN } from "./checks.ts";
import { noteChange } from "./note-change.ts";

export type PasskeyFormResult =
  | { readonly kind: "done"; readonly notice: PasskeyNotice }
  | { readonly kind: "refused"; readonly error: PasskeyError }
  /** The session has ended since it was found. */
  | { readonly kind: "signed-out" };

/** A form of a verified session. */
export interface PasskeyForm {
  readonly session: BrowserSession;
  readonly passkey: string;
  readonly request: AccountRequest;
}

export function createAccountPasskeys<Records extends AccountRecords>({
  service,
  store,
  passkeys,
  checks,
  now,
}: AccountContext<Records>) {
  return {
    async addPasskey(body: AddPasskeyBody, request: AccountRequest): Promise<AccountResponse> {
      if (passkeys === null) return { kind: "unknown-path" };
      const check = await checks.checkSession(body.csrf, request, "fresh-session");
      if (check.kind === "not-fresh") return refuse("authentication_failed", SIGN_IN_AGAIN);
      if (check.kind !== "verified") return refuse("csrf_failed");
      const { session } = check;
      const { sessionHash: attempt } = session;
      if (body.action === "begin") {
        const creation = await store.transaction(({ identity }) =>
          passkeys.beginAdd(identity, session, attempt, now()),
        );
        return respond(creation);
      }
      const given = { attempt, credential: body.credential, name: body.name };
      const response = await checks.changeInSession(session, async (records, note) => {
        const result = await passkeys.completeAdd(records.identity, session, given, now());
        if (result.kind === "added") {
          await note("passkey-added", request.clientAddress());
          await noteChange(records, session, "passkey-added", request, now());
          return respond({ next: service.noticePath("passkey-added", request) });
        }
        const isInvalid = result.kind === "too-many" || result.reason === "invalid-name";
        return refuse(isInvalid ? "invalid_request" : "authentication_failed");
      });
      return response ?? refuse("csrf_failed");
    },

    /** The actions of forms by name; none where browsers have no passkeys. */
    passkeyForms: passkeys && {
      async name(
        { session, passkey }: Omit<PasskeyForm, "request">,
        name: string,
      ): Promise<PasskeyFormResult> {
        const renamed = await store.transaction(({ identity }) =>
          passkeys.rename(identity, session.accountId, passkey, name),
        );
        return RENAMED[renamed];
      },
      async remove({ session, passkey, request }: PasskeyForm): Promise<PasskeyFormResult> {
        if (!isFresh(session, now())) return refused("not-fresh");
        const removed = await checks.changeInSession(session, async (records, note) => {
          const result = await passkeys.remove(records.identity, session, passkey);
          if (result.kind !== "removed") return result;
          await note("passkey-removed", request.clientAddress());
          await noteChange(records, session, "passkey-removed", request, now());
          return result;
        });
        return removed === null ? { kind: "signed-out" } : REMOVED[removed.kind];
      },
    },
  };
}

const done = (notice: PasskeyNotice) => ({ kind: "done", notice }) as const;
const refused = (error: PasskeyError) => ({ kind: "refused", error }) as const;

const RENAMED = {
  renamed: done("passkey-named"),
  unknown: refused("passkey-gone"),
  "invalid-name": refused("passkey-name-invalid"),
};

const REMOVED = {
  removed: done("passkey-removed"),
  unknown: refused("passkey-gone"),
  "last-way-in": refused("last-way-in"),
};
