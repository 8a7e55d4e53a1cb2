/**
 * The ways in to an account: a password proof and a passkey. What a valid one grants, a session or a code, is
 * granted in its transaction, with a line in the history and a browser that is known from then on.
 */
import type { PasskeyAssertion, PasskeyRequest } from "../../contract/passkey.ts";
import type { SignedAttempt } from "../../rules/identity/auth-message.ts";
import type { Accounts } from "../accounts.ts";
import type { RequestHeaders } from "../browser-sessions.ts";
import { hasSignedInFrom, rememberBrowser } from "../known-browsers.ts";
import type { Passkeys, PasskeySignInResult } from "../passkeys/passkeys.ts";
import type { NoteSecurityEvent, SecurityLog } from "../security-log.ts";
import { createSignInAdmission, type SignInOrigin } from "../sign-in-admission.ts";
import { noteAccepted, noteRefused, type SignInVisit } from "../sign-in-history.ts";
import { createSignIn, type BeginResult, type CompleteResult, type Throttled } from "../sign-in.ts";
import { createThrottle } from "../throttle.ts";
import type {
  AccountRecords,
  AccountAccessSettings,
  KnownBrowserStorage,
} from "./account-service.ts";

/** Where a sign-in comes from, for the throttle and for the history. */
export interface VisitOrigin extends SignInOrigin, Pick<SignInVisit, "userAgent"> {}

/** A sign-in, with what it is for. */
export type Visit = VisitOrigin & Pick<SignInVisit, "purpose">;

export interface GivenProof {
  readonly challengeId: string;
  readonly clientNonce: string;
  readonly proof: string;
  /** Members of the attempt that this request repeats: they must be equal. */
  readonly claimed: SignedAttempt;
}

export interface GivenAssertion {
  /** All that the challenge is bound to, as it was when the sign-in began. */
  readonly attempt: string;
  readonly credential: PasskeyAssertion;
}

/** A person who proved to be the owner of the account. */
export interface Proved {
  readonly accountId: string;
  readonly username: string;
  /** Whether the account signed in from this browser before. */
  readonly isKnownBrowser: boolean;
}

export interface PasswordProved extends Proved {
  readonly attempt: SignedAttempt;
}

/** What a valid proof grants, in its transaction. */
export type ProofGrant<Records, P extends Proved, T> = (
  records: Records,
  proved: P,
  note: NoteSecurityEvent,
) => Promise<T>;

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

/** The reason is for the log alone. */
export type Ungranted =
  | Extract<CompleteResult | PasskeySignInResult, { kind: "failed" }>
  | Throttled;

/** A person whose challenge is lost with the machine begins again. */
const CHALLENGE = { mayBeLost: true };

/** Failures that a person should know of; the others say nothing about a passkey. */
const TOLD: ReadonlySet<string> = new Set(["not-verified", "unknown-passkey", "counter-went-back"]);

/** `passkeys` is null where browsers have none. */
export function createWaysIn<Records extends AccountRecords>(
  settings: AccountAccessSettings<Records>,
  accounts: Accounts,
  passkeys: Passkeys | null,
  security: SecurityLog<Records>,
) {
  const { service, store, instanceKey, limiter, randomBytes, now } = settings;
  const { purpose, hasOneAccount } = service;
  const throttle = createThrottle(service.realm, instanceKey);
  const signIn = createSignIn({ purpose, accounts, throttle, randomBytes });
  const admission = createSignInAdmission({ reads: store.reads, throttle, limiter, now });

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

    provePassword<T>(
      request: GivenProof & Visit,
      grant: ProofGrant<Records, PasswordProved, T>,
    ): Promise<GrantedProof<T> | Ungranted> {
      const visit = { ...request, method: "password" } as const;
      const run = async (records: Records, note: NoteSecurityEvent) => {
        const { identity } = records;
        const proof = await signIn.complete(identity, request, now());
        if (proof.kind === "proved") {
          const granted = await remember(records, visit, proof, grant(records, proof, note));
          return { ...granted, serverSignature: proof.serverSignature };
        }
        if (proof.kind === "failed" && proof.beginsThrottling) {
          await note("throttling-begun", request.address);
        }
        if (proof.kind === "failed" && proof.reason === "wrong-proof") {
          await noteRefused(identity, visit, { ...proof, hasOneAccount }, now());
        }
        return proof;
      };
      return admission.complete(request, () => security.transaction(run));
    },

    /** The two steps with a passkey. No guess can succeed, so none is counted. */
    passkeys: passkeys && {
      begin: (attempt: string): PasskeyRequest => passkeys.beginSignIn(attempt, now()),
      prove<T>(
        request: GivenAssertion & Visit,
        grant: ProofGrant<Records, Proved, T>,
      ): Promise<Granted<T> | Ungranted> {
        const visit = { ...request, method: "passkey" } as const;
        const run = async (records: Records, note: NoteSecurityEvent) => {
          const { identity } = records;
          const result = await passkeys.completeSignIn(identity, request, now());
          if (result.kind === "proved") {
            const { username } = result;
            const isKnownBrowser = await hasSignedInFrom(identity, { ...request, username }, now());
            const proved = { ...result, isKnownBrowser };
            return remember(records, visit, proved, grant(records, proved, note));
          }
          if (result.reason === "counter-went-back") {
            await note("passkey-counter-went-back", request.address);
          }
          if (TOLD.has(result.reason)) {
            await noteRefused(identity, visit, { ...result, hasOneAccount }, now());
          }
          return result;
        };
        return admission.complete(request, () => security.transaction(run));
      },
    },
  };

  /** The browser is remembered after the grant, because a new password forgets the known browsers. */
  async function remember<T>(
    { identity }: Records,
    visit: SignInVisit & SignInOrigin,
    { accountId, isKnownBrowser }: Proved,
    granting: Promise<T>,
  ): Promise<Granted<T>> {
    const value = await granting;
    await noteAccepted(identity, visit, { accountId, isNew: !isKnownBrowser }, now());
    const { knownBrowser: kept } = visit;
    const knownBrowser = await rememberBrowser(identity, kept, accountId, now(), randomBytes);
    return { kind: "granted", value, knownBrowser };
  }
}

export function readOrigin(
  request: RequestHeaders & { clientAddress(): string },
  knownBrowser: Pick<KnownBrowserStorage, "read">,
): VisitOrigin {
  return {
    address: request.clientAddress(),
    userAgent: request.header("user-agent"),
    knownBrowser: knownBrowser.read(request),
  };
}
