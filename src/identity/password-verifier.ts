/** Password verifiers: sealed under the instance key in the store, and as a browser sends them. */
import type { Static } from "typebox";
import type { NewVerifier } from "../contract/password-proof.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import {
  PASSWORD_ITERATIONS,
  PROOF_BYTES,
  SALT_BYTES,
  type PasswordVerifier,
} from "../rules/identity/scram.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import type { AccountRecord } from "./identity-records.ts";
import type { InstanceKey } from "./instance-key.ts";
import { createSecretSealer, type SealContext } from "./seal.ts";

type SealedVerifier = Pick<AccountRecord, "accountId" | "username" | "sealedVerifier">;

export interface VerifierCipher {
  seal(accountId: string, username: string, verifier: PasswordVerifier): string;
  /** Null when it was sealed under another key, or for another account or name. */
  open(sealed: SealedVerifier): PasswordVerifier | null;
}

export function createVerifierCipher(
  realm: string,
  instanceKey: InstanceKey,
  randomBytes?: RandomBytes,
): VerifierCipher {
  const sealer = createSecretSealer(instanceKey.derive("identity/seal"), randomBytes);
  const context = (account: string): SealContext => ({
    realm,
    account,
    purpose: "password-verifier",
  });
  return {
    seal: (accountId, username, verifier) =>
      encodeBase64Url(sealer.seal(writeVerifier(username, verifier), context(accountId))),
    open: ({ accountId, username, sealedVerifier }) => {
      const sealed = decodeBase64Url(sealedVerifier) ?? new Uint8Array();
      const opened = sealer.open(sealed, context(accountId));
      return opened.kind === "opened" ? readVerifier(opened.bytes, username) : null;
    },
  };
}

/** The name is sealed too: a verifier that was moved to another name does not open. */
function writeVerifier(username: string, verifier: PasswordVerifier): Uint8Array {
  const { salt, iterations, storedKey, serverKey } = verifier;
  const parts = [salt, storedKey, serverKey].map(encodeBase64Url);
  return Buffer.from(JSON.stringify([username, iterations, ...parts]), "utf8");
}

function readVerifier(bytes: Uint8Array, username: string): PasswordVerifier | null {
  const [name, iterations, ...parts] = JSON.parse(Buffer.from(bytes).toString("utf8")) as [
    string,
    number,
    string,
    string,
    string,
  ];
  const [salt, storedKey, serverKey] = parts.map(decodeBase64Url);
  if (name !== username || !salt || !storedKey || !serverKey) return null;
  return { salt, iterations, storedKey, serverKey };
}

/** Null for an invalid verifier; other iterations would distinguish this account from unknown user names. */
export function readWireVerifier(given: Static<typeof NewVerifier>): PasswordVerifier | null {
  const { iterations } = given;
  const [salt, storedKey, serverKey] = [given.salt, given.storedKey, given.serverKey].map(
    decodeBase64Url,
  );
  const isValid =
    iterations === PASSWORD_ITERATIONS &&
    salt?.length === SALT_BYTES &&
    storedKey?.length === PROOF_BYTES &&
    serverKey?.length === PROOF_BYTES;
  return isValid ? { salt, iterations, storedKey, serverKey } : null;
}
