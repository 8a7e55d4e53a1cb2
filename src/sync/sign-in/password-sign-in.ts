/** Sign-in by password proof: on the login page, which gives a code, and on the owner's page. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { AuthorizeComplete, CompletedResponse } from "../../contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import type { RequestContext } from "../../http/request.ts";
import type { SharedRateLimiter } from "../../http/shared-rate-limit.ts";
import type { Accounts } from "../../identity/accounts.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import { rememberBrowser } from "../../identity/known-browsers.ts";
import type { NoteSecurityEvent, SecurityLog } from "../../identity/security-log.ts";
import { createSignInAdmission, type SignInOrigin } from "../../identity/sign-in-admission.ts";
import { noteAccepted, noteRefused, type SignInVisit } from "../../identity/sign-in-history.ts";
import {
  createSignIn,
  type BeginResult,
  type CompleteRequest,
  type CompleteResult,
} from "../../identity/sign-in.ts";
import { createThrottle } from "../../identity/throttle.ts";
import type { SignedAttempt } from "../../rules/identity/auth-message.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { issueCode, type CodeBinding } from "./authorization-codes.ts";
import { SYNC_REALM, type SyncRecords, type SyncStore } from "../store.ts";

export interface PasswordSignInSettings {
  readonly store: SyncStore;
  readonly security: SecurityLog<SyncRecords>;
  readonly instanceKey: InstanceKey;
  readonly accounts: Accounts;
  readonly randomBytes: RandomBytes;
  /** Sign-ins that a client, or its networks together, may begin. */
  readonly limiter: SharedRateLimiter;
  now(): number;
}

/** Where a sign-in comes from, for the throttle and for its history. */
export interface SyncSignInOrigin extends SignInOrigin, Pick<SignInVisit, "userAgent"> {}

/** A sign-in, with what it is for. */
export type SyncVisit = SyncSignInOrigin & Pick<SignInVisit, "purpose">;

export type ProofRequest = CompleteRequest & SyncVisit;

/** A password proof that is valid. */
export type Proof = Extract<CompleteResult, { kind: "proved" }>;

/** A proof that is not valid, or that must wait. */
export type RefusedProof = Exclude<CompleteResult, Proof>;

export interface Granted<T> {
  readonly kind: "granted";
  readonly value: T;
  /** The value that the browser keeps from now on. */
  readonly knownBrowser: string;
}

/** The server proves that it knows the verifier, too. */
export interface GrantedProof<T> extends Granted<T> {
  readonly serverSignature: string;
}

export type IssuedCode = Pick<CompletedResponse, "code" | "redirectUri">;

/** A person whose challenge is lost with the machine begins again. */
const CHALLENGE = { mayBeLost: true };

export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>;

export function createPasswordSignIn(settings: PasswordSignInSettings) {
  const { store, security, accounts, randomBytes, now } = settings;
  const throttle = createThrottle(SYNC_REALM, settings.instanceKey);
  const signIn = createSignIn({ purpose: LOGIN_PURPOSE, accounts, throttle, randomBytes });
  const { limiter } = settings;
  const admission = createSignInAdmission({ reads: store, throttle, limiter, now });

  return {
    admission,

    /** The proof signs all members of the attempt. */
    begin: (username: string, attempt: SignedAttempt, origin: SignInOrigin): Promise<BeginResult> =>
      admission.begin({ username, ...origin }, (client) =>
        store.transaction(
          ({ identity }) => signIn.begin(identity, { username, attempt, client }, now()),
          CHALLENGE,
        ),
      ),

    prove,

    /** Grants a code, with the redirect URI that it is for. */
    complete: (
      { csrf, challengeId, clientNonce, proof }: AuthorizeComplete,
      origin: SyncSignInOrigin,
    ) =>
      prove(
        { challengeId, clientNonce, proof, claimed: { state: csrf }, purpose: "app", ...origin },
        async ({ identity }, { attempt }) => {
          // Members of the attempt that the route has checked.
          const checked = attempt as Omit<CodeBinding, "family">;
          const code = await issueCode(identity, checked, now(), randomBytes);
          return { code, redirectUri: checked.redirectUri };
        },
      ),
  };

  /** Grants what `grant` returns, in the transaction of a valid proof. */
  function prove<T>(
    request: ProofRequest,
    grant: (records: SyncRecords, proof: Proof, note: NoteSecurityEvent) => Promise<T>,
  ): Promise<GrantedProof<T> | RefusedProof> {
    const run = async (records: SyncRecords, note: NoteSecurityEvent) => {
      const { identity } = records;
      const proof = await signIn.complete(identity, request, now());
      if (proof.kind === "failed" && proof.beginsThrottling) {
        await note("throttling-begun", request.address);
      }
      const visit = { ...request, method: "password" } as const;
      if (proof.kind === "failed" && proof.reason === "wrong-proof") {
        await noteRefused(identity, visit, now());
      }
      if (proof.kind !== "proved") return proof;
      const { accountId, serverSignature } = proof;
      const value = await grant(records, proof, note);
      await noteAccepted(identity, visit, { accountId, isNew: !proof.isKnownBrowser }, now());
      // The browser is remembered after the grant, because a new password forgets the known browsers.
      const knownBrowser = await rememberBrowser(
        identity,
        request.knownBrowser,
        accountId,
        now(),
        randomBytes,
      );
      return { kind: "granted", value, serverSignature, knownBrowser } as const;
    };
    return admission.complete(request, () => security.transaction(run));
  }
}

/** Reads the address of the client, and the value that its browser keeps in the storage of the page. */
export function readSignInOrigin(
  context: Pick<RequestContext, "header" | "clientAddress">,
): SyncSignInOrigin {
  return {
    address: context.clientAddress(),
    userAgent: context.header("user-agent"),
    knownBrowser: context.header(KNOWN_BROWSER_HEADER.toLowerCase()),
  };
}
