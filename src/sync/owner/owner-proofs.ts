/** The password on the owner's page: sign-in, a change of the password, and the first one. */
import type { ProofAccepted, SignInBody } from "../../contract/password-proof.ts";
import type { ChangePasswordBody } from "../../contract/sync/owner-schemas.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { removeAllPasskeys } from "../../identity/passkeys/remove-all.ts";
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import { readWireVerifier } from "../../identity/password-verifier.ts";
import { parseUsername } from "../../rules/identity/grammar.ts";
import { CODES } from "../sign-in/authorization-codes.ts";
import { errorResponse } from "../responses/error-response.ts";
import {
  readSignInOrigin,
  type GrantedProof,
  type Proof,
  type SyncVisit,
} from "../sign-in/password-sign-in.ts";
import { challengeResponse, proofResponse } from "../sign-in/proof-responses.ts";
import { revokeEverything } from "../devices/revoke-everything.ts";
import type { PasswordVerifier } from "../../rules/identity/scram.ts";
import type { SyncRecords } from "../store.ts";
import { changeInSession, noteInHistory } from "./change-in-session.ts";
import { ownerAddress } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";

export type JsonContext<Body> = RequestContext<undefined, { readonly value: Body }>;
type Completed = Extract<SignInBody, { action: "complete" }>;
/** What a valid proof does, in its transaction. */
type OnProved = (records: SyncRecords, note: NoteSecurityEvent, proof: Proof) => Promise<unknown>;

export function createOwnerProofs(dependencies: OwnerDependencies) {
  const { signIn, accounts, sessions, csrf, now } = dependencies;

  return {
    async ownerSignIn(
      _input: unknown,
      context: JsonContext<SignInBody>,
    ): Promise<HttpResponse | HttpError> {
      const body = context.content.value;
      const { requestId } = context;
      const browser = sessions.readBrowser(context);
      const interaction =
        browser === "" || isCrossOrigin(context) ? null : csrf.readSignInToken(body.csrf, browser);
      if (interaction === null) return errorResponse("csrf_failed", requestId);
      if (body.action === "complete") {
        const next = ownerAddress(context);
        const visit = { interaction, purpose: "page" } as const;
        return complete(body, visit, context, next, async (_records, note, proof) => {
          if (!proof.isKnownBrowser) await note("new-device", context.clientAddress());
        });
      }
      const username = parseUsername(body.username);
      if (username === null) return errorResponse("invalid_request", requestId);
      return begin(username, interaction, context);
    },

    async changeOwnerPassword(
      _input: unknown,
      context: JsonContext<ChangePasswordBody>,
    ): Promise<HttpResponse | HttpError> {
      const body = context.content.value;
      const { requestId } = context;
      const session = await sessions.find(context);
      const isVerified =
        session !== null &&
        !isCrossOrigin(context) &&
        csrf.isSessionToken(body.csrf, session.sessionHash);
      if (!isVerified) return errorResponse("csrf_failed", requestId);
      const interaction = csrf.passwordInteraction(session.sessionHash);
      if (body.action === "begin") return begin(session.username, interaction, context);
      const verifier = readWireVerifier(body.verifier);
      if (verifier === null) return errorResponse("invalid_request", requestId);
      if (body.action === "set") return setPassword(session, verifier, context);
      const next = ownerAddress(context, "password-changed");
      const visit = { interaction, purpose: "password" } as const;
      return complete(body, visit, context, next, async (records, note) => {
        await accounts.replaceVerifier(records.identity, session.username, verifier, now());
        await note("password-changed", context.clientAddress());
        if (!body.signOutDevices) return endSignIns(records, session);
        const { accountId } = session;
        await note("signed-out-everywhere", context.clientAddress());
        await removeAllPasskeys(records.identity, accountId, note, context.clientAddress());
        return revokeEverything(records);
      });
    },
  };

  async function begin(
    username: string,
    interaction: string,
    context: RequestContext,
  ): Promise<HttpResponse | HttpError> {
    const origin = readSignInOrigin(context);
    return challengeResponse(await signIn.begin(username, { interaction }, origin));
  }

  async function complete(
    { challengeId, clientNonce, proof }: Completed,
    { interaction, purpose }: { readonly interaction: string } & Pick<SyncVisit, "purpose">,
    context: RequestContext,
    next: string,
    onProved: OnProved,
  ): Promise<HttpResponse | HttpError> {
    const origin = readSignInOrigin(context);
    const claimed = { interaction };
    const request = { challengeId, clientNonce, proof, claimed, purpose, ...origin };
    const result = await signIn.prove(request, async (records, proof, note) => {
      await onProved(records, note, proof);
      return sessions.open(records, proof.accountId, context);
    });
    const toBody = ({ serverSignature }: GrantedProof<string>): ProofAccepted => ({
      serverSignature,
      next,
    });
    const response = proofResponse(result, context.requestId, toBody);
    return result.kind === "granted" ? { ...response, cookies: [result.value] } : response;
  }

  /** There is no password to prove: a recent sign-in with a passkey stands for it. */
  async function setPassword(
    session: BrowserSession,
    verifier: PasswordVerifier,
    context: RequestContext,
  ): Promise<HttpResponse> {
    const isSet =
      isFresh(session, now()) &&
      (await changeInSession(dependencies, session, async ({ identity }, note) => {
        const account = await identity.findAccount(session.username);
        if (account === null || account.hasPassword) return false;
        await accounts.replaceVerifier(identity, session.username, verifier, now());
        await note("password-changed", context.clientAddress());
        await noteInHistory(identity, session, "password", context, now());
        return true;
      }));
    if (isSet !== true) return errorResponse("authentication_failed", context.requestId);
    return jsonResponse(200, JSON.stringify({ next: ownerAddress(context, "password-set") }));
  }
}

/** A code may have been issued to someone who knew the old password. Devices stay signed in. */
async function endSignIns(
  { identity, browserSessions }: SyncRecords,
  { accountId }: BrowserSession,
): Promise<void> {
  await identity.removeUnusedSecrets(CODES.purpose);
  await browserSessions.closeAll(accountId);
}
