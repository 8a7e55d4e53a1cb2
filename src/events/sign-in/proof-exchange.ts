/** The two steps of a password proof: a challenge, and the proof that opens a session. */
import type { ChangePasswordComplete } from "../../contract/events/schemas.ts";
import type {
  ProofAccepted,
  ProofChallenge,
  SignInComplete,
} from "../../contract/password-proof.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { EventsRecords } from "../store.ts";

/** A person whose challenge is lost with the machine begins again. */
const CHALLENGE = { mayBeLost: true };

export type HandlerResult = Promise<HttpResponse | HttpError>;
/** What a valid proof does, in its transaction, before the session is opened. */
type OnProved = (
  records: EventsRecords,
  note: NoteSecurityEvent,
  proved: { readonly isKnownBrowser: boolean },
) => Promise<void>;

export function createProofExchange(dependencies: EventsDependencies) {
  const { store, security, admission, sessions, signIn, now } = dependencies;

  async function begin(
    username: string,
    interaction: string,
    context: RequestContext,
    isLive: (records: EventsRecords) => Promise<boolean> = async () => true,
  ): HandlerResult {
    const origin = sessions.readSignInOrigin(context);
    const result = await admission.begin({ username, ...origin }, (client) =>
      store.transaction(
        async (records) =>
          (await isLive(records))
            ? signIn.begin(records.identity, { username, attempt: { interaction }, client }, now())
            : ({ kind: "expired" } as const),
        CHALLENGE,
      ),
    );
    if (result.kind === "expired") return errorResponse("interaction_expired");
    if (result.kind === "throttled") return { ...result, kind: "rate-limited" };
    const { expiresAt, ...challenge } = result.challenge;
    const body: ProofChallenge = { ...challenge, expiresAt: new Date(expiresAt).toISOString() };
    return jsonResponse(200, JSON.stringify(body));
  }

  function complete(
    { challengeId, clientNonce, proof }: SignInComplete | ChangePasswordComplete,
    interaction: string,
    context: RequestContext,
    next: string,
    onProved: OnProved,
  ): HandlerResult {
    const origin = sessions.readSignInOrigin(context);
    const request = { challengeId, clientNonce, proof, claimed: { interaction }, ...origin };
    const run = async (records: EventsRecords, note: NoteSecurityEvent): HandlerResult => {
      const result = await signIn.complete(records.identity, request, now());
      if (result.kind === "throttled") return { ...result, kind: "rate-limited" };
      if (result.kind === "failed") {
        if (result.beginsThrottling) await note("throttling-begun", origin.address);
        return errorResponse("authentication_failed");
      }
      await onProved(records, note, result);
      const cookies = await sessions.open(records, result.accountId, context);
      const accepted: ProofAccepted = { serverSignature: result.serverSignature, next };
      return { ...jsonResponse(200, JSON.stringify(accepted)), cookies };
    };
    return admission.complete(origin, () => security.transaction(run));
  }

  return { begin, complete };
}
