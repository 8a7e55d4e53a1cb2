/**
 * Passkeys of one realm (WebAuthn): added to an account, and used instead of its password. All of them are
 * discoverable and verify their user, so a sign-in needs no name, and nothing tells which accounts exist.
 */
import { PASSKEY_CHALLENGE_SECONDS } from "../../contract/identity.ts";
import {
  MAX_PASSKEYS,
  MAX_PASSKEY_NAME_CHARACTERS,
  type PasskeyAssertion,
  type PasskeyCreation,
  type PasskeyRegistration,
  type PasskeyRequest,
} from "../../contract/passkey.ts";
import { randomBytes as strongRandomBytes, type RandomBytes } from "../../rules/web-crypto.ts";
import type { IdentityRecords } from "../identity-records.ts";
import type { InstanceKey } from "../instance-key.ts";
import { createPasskeyChallenges } from "./passkey-challenges.ts";
import type { PasskeyRecord } from "./passkey-records.ts";
import type { RelyingParty } from "./relying-party.ts";
import {
  loadLibrary,
  PASSKEY_ALGORITHMS,
  readClientData,
  verifyAssertion,
  verifyRegistration,
  type VerificationFailure,
} from "./verify-passkey.ts";

export interface PasskeySettings {
  readonly realm: string;
  readonly rp: RelyingParty;
  readonly instanceKey: InstanceKey;
  readonly randomBytes?: RandomBytes;
}

/** The reason is for the log alone, except that the page of an account tells when a passkey is taken. */
export type PasskeyFailure =
  | VerificationFailure
  | "malformed"
  | "expired"
  /** The challenge is of another attempt, browser or purpose, or of another server. */
  | "other-attempt"
  | "replayed";

export type PasskeySignInResult =
  | { readonly kind: "proved"; readonly accountId: string; readonly username: string }
  | {
      readonly kind: "failed";
      /** The caller notes the security event when the counter went back: there may be a copy of the key. */
      readonly reason: PasskeyFailure | "unknown-passkey" | "counter-went-back";
      /** The account of the passkey; null where none was found. */
      readonly accountId: string | null;
    };

export type AddPasskeyResult =
  | { readonly kind: "added"; readonly passkey: PasskeyRecord }
  | { readonly kind: "failed"; readonly reason: PasskeyFailure | "invalid-name" | "already-added" }
  | { readonly kind: "too-many" };

export type RemovePasskeyResult =
  | { readonly kind: "removed" }
  | { readonly kind: "unknown" }
  /** The account has no password, and this is its last passkey. */
  | { readonly kind: "last-way-in" };

export interface PasskeyAccount {
  readonly accountId: string;
  readonly username: string;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** PostgreSQL refuses some texts that are no ids, such as those with U+0000. */
const CREDENTIAL_ID = /^[A-Za-z0-9_-]+$/;

// `u` counts code points; a lone surrogate is in Cs and has no UTF-8.
const NAME = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_PASSKEY_NAME_CHARACTERS}}$`, "u");

/** Null when the text names no passkey. */
export function parsePasskeyName(text: string): string | null {
  const name = text.normalize("NFC").trim();
  return NAME.test(name) ? name : null;
}

/** Whatever names the attempt must be the same text when it is completed: its state, the browser cookie. */
export function createPasskeys(settings: PasskeySettings) {
  const { realm, rp, instanceKey, randomBytes = strongRandomBytes } = settings;
  const challenges = createPasskeyChallenges(realm, instanceKey, randomBytes);

  return {
    /** Writes nothing. */
    beginSignIn(attempt: string, now: number): PasskeyRequest {
      warmUp();
      const { challenge, expiresAt } = challenges.issue(now, "sign-in", attempt);
      return { challenge, rpId: rp.id, expiresAt: new Date(expiresAt).toISOString() };
    },

    /** Call it in the transaction that grants what the sign-in gives. */
    async completeSignIn(
      records: IdentityRecords,
      { attempt, credential }: { readonly attempt: string; readonly credential: PasskeyAssertion },
      now: number,
    ): Promise<PasskeySignInResult> {
      const client = readClientData(credential.response.clientDataJSON);
      if (client === null) return refused("malformed");
      const state = challenges.check(client.challenge, now, "sign-in", attempt);
      if (state !== "valid") return refused(state);
      const passkey = await records.findPasskey(credential.id);
      // WebAuthn 7.2, step 6: the user handle names the owner of a discoverable credential.
      if (passkey === null || credential.response.userHandle !== passkey.accountId) {
        return refused("unknown-passkey");
      }
      const verified = await verifyAssertion(rp, client, credential, passkey);
      if (verified.kind === "failed") return refused(verified.reason, passkey.accountId);
      // Before the counter, which a replayed response would seem to set back.
      if (!(await challenges.consume(records, client.challenge, now))) return refused("replayed");
      const { counter } = verified;
      const isCounted = counter > 0 || passkey.counter > 0;
      if (isCounted && counter <= passkey.counter) {
        return refused("counter-went-back", passkey.accountId);
      }
      const { credentialId, accountId, username } = passkey;
      await records.usePasskey(credentialId, counter, now);
      return { kind: "proved", accountId, username };
    },

    /** The account need not exist yet. Writes nothing. */
    async beginAdd(
      records: IdentityRecords,
      { accountId, username }: PasskeyAccount,
      attempt: string,
      now: number,
    ): Promise<PasskeyCreation> {
      warmUp();
      const present = await records.listPasskeys(accountId);
      return {
        challenge: challenges.issue(now, "add", accountId, attempt).challenge,
        rp: { id: rp.id, name: rp.name },
        // The account id is Base64URL, so it is the JSON form of its bytes.
        user: { id: accountId, name: username, displayName: username },
        pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        timeout: PASSKEY_CHALLENGE_SECONDS * 1000,
        attestation: "none",
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        excludeCredentials: present.map(({ credentialId }) => ({
          type: "public-key",
          id: credentialId,
        })),
      };
    },

    /** The account exists by now, perhaps since this transaction began. */
    async completeAdd(
      records: IdentityRecords,
      { accountId }: PasskeyAccount,
      given: {
        readonly attempt: string;
        readonly credential: PasskeyRegistration;
        readonly name: string;
      },
      now: number,
    ): Promise<AddPasskeyResult> {
      const name = parsePasskeyName(given.name);
      if (name === null) return failed("invalid-name");
      const client = readClientData(given.credential.response.clientDataJSON);
      if (client === null) return failed("malformed");
      const state = challenges.check(client.challenge, now, "add", accountId, given.attempt);
      if (state !== "valid") return failed(state);
      const verified = await verifyRegistration(rp, client, given.credential);
      if (verified.kind === "failed") return verified;
      if ((await records.listPasskeys(accountId)).length >= MAX_PASSKEYS) {
        return { kind: "too-many" };
      }
      if (!(await challenges.consume(records, client.challenge, now))) return failed("replayed");
      const { credentialId, publicKey, counter } = verified;
      const key = { credentialId, accountId, publicKey, counter };
      const passkey = { ...key, name, createdAt: now, lastUsedAt: null };
      return (await records.addPasskey(passkey))
        ? { kind: "added", passkey }
        : failed("already-added");
    },

    async rename(
      records: IdentityRecords,
      accountId: string,
      credentialId: string,
      name: string,
    ): Promise<"renamed" | "unknown" | "invalid-name"> {
      const parsed = parsePasskeyName(name);
      if (parsed === null) return "invalid-name";
      if (!CREDENTIAL_ID.test(credentialId)) return "unknown";
      const isRenamed = await records.renamePasskey(accountId, credentialId, parsed);
      return isRenamed ? "renamed" : "unknown";
    },

    async remove(
      records: IdentityRecords,
      { accountId, username }: PasskeyAccount,
      credentialId: string,
    ): Promise<RemovePasskeyResult> {
      const present = await records.listPasskeys(accountId);
      const isPresent = present.some((passkey) => passkey.credentialId === credentialId);
      if (!isPresent) return { kind: "unknown" };
      const account = await records.findAccount(username);
      if (present.length === 1 && account?.hasPassword !== true) return { kind: "last-way-in" };
      await records.removePasskey(accountId, credentialId);
      return { kind: "removed" };
    },
  };
}

function refused<R extends string>(reason: R, accountId: string | null = null) {
  return { kind: "failed", reason, accountId } as const;
}

function failed<R extends string>(reason: R) {
  return { kind: "failed", reason } as const;
}

/** While the person looks for the passkey, so that no transaction waits for the library. */
function warmUp(): void {
  // The completing step loads it too, and reports what goes wrong.
  loadLibrary().catch(() => {});
}
