/** A new password: one in the place of another, which is proved, and the first one. */
import type { Static } from "typebox";
import type {
  BeginPasswordProof,
  NewVerifier,
  SetFirstPassword,
  SignInComplete,
} from "../../contract/password-proof.ts";
import type { PasswordVerifier } from "../../rules/identity/scram.ts";
import type { BrowserSession } from "../browser-sessions.ts";
import { readWireVerifier } from "../password-verifier.ts";
import type { AccountContext } from "./account-context.ts";
import {
  refuse,
  respond,
  type AccountRecords,
  type AccountRequest,
  type AccountResponse,
} from "./account-service.ts";
import { SIGN_IN_AGAIN } from "./checks.ts";
import { endSignIns } from "./end-sign-ins.ts";
import { noteChange } from "./note-change.ts";
import type { PageSignIn } from "./page-sign-in.ts";

type Complete = SignInComplete & { readonly verifier: Static<typeof NewVerifier> };

export type NewPasswordBody =
  | Static<typeof BeginPasswordProof>
  | Complete
  | Static<typeof SetFirstPassword>;

export function createNewPassword<Records extends AccountRecords>(
  { service, accounts, checks, csrf, now }: AccountContext<Records>,
  pageSignIn: Pick<PageSignIn<Records>, "begin" | "openByPassword">,
) {
  /** Signs every browser of the account out, but this one. `isEverywhere` also ends all other access. */
  return async function changePassword(
    body: NewPasswordBody,
    isEverywhere: boolean,
    request: AccountRequest,
  ): Promise<AccountResponse> {
    const needs = body.action === "set" ? "fresh-session" : "session";
    const check = await checks.checkSession(body.csrf, request, needs);
    if (check.kind === "not-fresh") return refuse("authentication_failed", SIGN_IN_AGAIN);
    if (check.kind !== "verified") return refuse("csrf_failed");
    const { session } = check;
    const interaction = csrf.passwordInteraction(session.sessionHash);
    if (body.action === "begin") return pageSignIn.begin(session.username, interaction, request);
    const verifier = readWireVerifier(body.verifier);
    if (verifier === null) return refuse("invalid_request");
    if (body.action === "set") return setFirst(session, verifier, request);
    const next = service.noticePath("password-changed", request);
    const opening = { interaction, purpose: "password", next } as const;
    return pageSignIn.openByPassword(body, opening, request, async (records, note) => {
      const address = request.clientAddress();
      await accounts.replaceVerifier(records.identity, session.username, verifier, now());
      await note("password-changed", address);
      await endSignIns(service, records, session, isEverywhere);
      if (!isEverywhere) return;
      await note("signed-out-everywhere", address);
      const removed = await records.identity.removePasskeys(session.accountId);
      if (removed > 0) await note("passkey-removed", address);
    });
  };

  /** There is no password to prove: a recent sign-in with a passkey stands for it. */
  async function setFirst(
    session: BrowserSession,
    verifier: PasswordVerifier,
    request: AccountRequest,
  ): Promise<AccountResponse> {
    const { username } = session;
    const isSet = await checks.changeInSession(session, async (records, note) => {
      const { identity } = records;
      if ((await identity.findAccount(username))?.hasPassword !== false) return false;
      await accounts.replaceVerifier(identity, username, verifier, now());
      await note("password-changed", request.clientAddress());
      await noteChange(records, session, "password", request, now());
      return true;
    });
    return isSet === true
      ? respond({ next: service.noticePath("password-set", request) })
      : refuse("authentication_failed");
  }
}
