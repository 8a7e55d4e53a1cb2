/** Sign-in with a passkey: on the login page, which gives a code, and on the owner's page. */
import type { PasskeyAssertion, PasskeyRequest } from "../../contract/passkey.ts";
import { hasSignedInFrom, rememberBrowser } from "../../identity/known-browsers.ts";
import type { Passkeys, PasskeySignInResult } from "../../identity/passkeys/passkeys.ts";
import type { NoteSecurityEvent, SecurityLog } from "../../identity/security-log.ts";
import { noteAccepted, noteRefused } from "../../identity/sign-in-history.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { SyncRecords } from "../store.ts";
import type { Granted, PasswordSignIn, SyncVisit } from "./password-sign-in.ts";

export interface PasskeySignInSettings {
  readonly passkeys: Passkeys;
  readonly security: SecurityLog<SyncRecords>;
  readonly admission: PasswordSignIn["admission"];
  readonly randomBytes: RandomBytes;
  now(): number;
}

/** A valid response of a passkey. */
export interface PasskeyProof extends Extract<PasskeySignInResult, { kind: "proved" }> {
  /** Whether the account signed in from this browser before. */
  readonly isKnownBrowser: boolean;
}

export interface PasskeyCompletion extends SyncVisit {
  /** All that the challenge is bound to, as it was when the sign-in began. */
  readonly attempt: string;
  readonly credential: PasskeyAssertion;
}

/** Refusals that the owner should know of; the others say nothing about a passkey. */
const TOLD: ReadonlySet<string> = new Set(["not-verified", "unknown-passkey", "counter-went-back"]);

export type SyncPasskeySignIn = ReturnType<typeof createPasskeySignIn>;

export function createPasskeySignIn(settings: PasskeySignInSettings) {
  const { passkeys, security, admission, randomBytes, now } = settings;
  return {
    begin: (attempt: string): PasskeyRequest => passkeys.beginSignIn(attempt, now()),

    /** Grants what `grant` returns, in the transaction of a valid response. No guess can succeed, so none is counted. */
    prove<T>(
      { attempt, credential, ...origin }: PasskeyCompletion,
      grant: (records: SyncRecords, proof: PasskeyProof, note: NoteSecurityEvent) => Promise<T>,
    ): Promise<Granted<T> | Extract<PasskeySignInResult, { kind: "failed" }>> {
      const run = async (records: SyncRecords, note: NoteSecurityEvent) => {
        const { identity } = records;
        const visit = { ...origin, method: "passkey" } as const;
        const result = await passkeys.completeSignIn(identity, { attempt, credential }, now());
        if (result.kind === "failed") {
          if (result.reason === "counter-went-back") {
            await note("passkey-counter-went-back", origin.address);
          }
          if (TOLD.has(result.reason)) await noteRefused(identity, visit, now());
          return result;
        }
        const { accountId, username } = result;
        const isKnownBrowser = await hasSignedInFrom(identity, { username, ...origin }, now());
        const value = await grant(records, { ...result, isKnownBrowser }, note);
        await noteAccepted(identity, visit, { accountId, isNew: !isKnownBrowser }, now());
        const { knownBrowser: kept } = origin;
        const knownBrowser = await rememberBrowser(identity, kept, accountId, now(), randomBytes);
        return { kind: "granted", value, knownBrowser } as const;
      };
      return admission.complete(origin, () => security.transaction(run));
    },
  };
}
