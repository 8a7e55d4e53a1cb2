/** The password proofs of the owner's page: sign-in and a change of the password. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type {
  ChangePasswordBody,
  ProofAccepted,
  SignInBody,
} from "../../contract/sync/owner-schemas.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import { isCrossSite } from "../../identity/csrf.ts";
import { rememberBrowser } from "../../identity/known-browsers.ts";
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import type { BeginResult } from "../../identity/sign-in.ts";
import { readWireVerifier } from "../../identity/wire-verifier.ts";
import { parseUsername } from "../../rules/identity/grammar.ts";
import { CODES } from "../authorization-codes.ts";
import { errorResponse } from "../error-response.ts";
import { revokeEverything } from "../revoke-everything.ts";
import { signInOrigin } from "../sign-in-origin.ts";
import type { SyncRecords } from "../store.ts";
import { ownerAddress } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";

type JsonContext<Body> = RequestContext<undefined, { readonly value: Body }>;
type Completed = Extract<SignInBody, { action: "complete" }>;
/** What a valid proof does, in its transaction. */
type OnProved = (records: SyncRecords, note: NoteSecurityEvent) => Promise<unknown>;

export function createOwnerProofs(dependencies: OwnerDependencies) {
  const { authentication, accounts, sessions, csrf, randomBytes, now } = dependencies;

  return {
    async ownerSignIn(
      _input: unknown,
      context: JsonContext<SignInBody>,
    ): Promise<HttpResponse | HttpError> {
      const body = context.content.value;
      const { requestId } = context;
      const browser = sessions.readBrowser(context);
      const interaction =
        browser === "" || isCrossSite(context) ? null : csrf.readSignInToken(body.csrf, browser);
      if (interaction === null) return errorResponse("csrf_failed", requestId);
      if (body.action === "complete") {
        return complete(body, interaction, context, ownerAddress(context));
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
        !isCrossSite(context) &&
        csrf.isSessionToken(body.csrf, session.sessionHash);
      if (!isVerified) return errorResponse("csrf_failed", requestId);
      const interaction = csrf.passwordInteraction(session.sessionHash);
      if (body.action === "begin") return begin(session.username, interaction, context);
      const verifier = readWireVerifier(body.verifier);
      if (verifier === null) return errorResponse("invalid_request", requestId);
      const next = ownerAddress(context, "password-changed");
      return complete(body, interaction, context, next, async (records, note) => {
        await accounts.replaceVerifier(records.identity, session.username, verifier, now());
        await note("password-changed", context.clientAddress());
        if (!body.signOutDevices) return endSignIns(records, session);
        await note("signed-out-everywhere", context.clientAddress());
        return revokeEverything(records);
      });
    },
  };

  async function begin(
    username: string,
    interaction: string,
    context: RequestContext,
  ): Promise<HttpResponse | HttpError> {
    const origin = signInOrigin(context);
    return challengeResponse(await authentication.begin({ username, interaction }, origin));
  }

  async function complete(
    { challengeId, clientNonce, proof }: Completed,
    interaction: string,
    context: RequestContext,
    next: string,
    onProved: OnProved = async () => {},
  ): Promise<HttpResponse | HttpError> {
    const origin = signInOrigin(context);
    const request = { challengeId, clientNonce, proof, claimed: { interaction }, ...origin };
    const result = await authentication.prove(request, async (records, proved, note) => {
      const { accountId, serverSignature } = proved;
      await onProved(records, note);
      if (!proved.isKnownBrowser) await note("new-device", origin.address);
      const cookie = await sessions.open(records, accountId, context);
      const known = await rememberBrowser(
        records.identity,
        origin.knownBrowser,
        accountId,
        now(),
        randomBytes,
      );
      const accepted: ProofAccepted = { serverSignature, next };
      const headers = { [KNOWN_BROWSER_HEADER]: known };
      return { ...jsonResponse(200, JSON.stringify(accepted), headers), cookies: [cookie] };
    });
    if (!("kind" in result)) return result;
    return result.kind === "throttled"
      ? { ...result, kind: "rate-limited" }
      : errorResponse("authentication_failed", context.requestId);
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

function challengeResponse(result: BeginResult): HttpResponse | HttpError {
  if (result.kind === "throttled") return { ...result, kind: "rate-limited" };
  const { expiresAt, ...challenge } = result.challenge;
  return jsonResponse(
    200,
    JSON.stringify({ ...challenge, expiresAt: new Date(expiresAt).toISOString() }),
  );
}
