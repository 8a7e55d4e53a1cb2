/**
 * A signing key that is sealed as the instance key is in a backup: scrypt and AES-256-GCM. The file has
 * the textual form of RFC 7468, so that it can be printed or kept as a secret of a build service.
 */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { isSealedKey, openSealedKey, sealKey } from "../../identity/seal-key.ts";
import { parseJson } from "../../rules/parse-json.ts";

const LABEL = "TRELLIS SEALED SIGNING KEY";
const BEGIN = `-----BEGIN ${LABEL}-----`;
const END = `-----END ${LABEL}-----`;
const LINE = /.{1,64}/g;

export function isSealed(text: string): boolean {
  return text.includes(BEGIN);
}

export async function sealPrivateKey(
  privateKey: KeyObject,
  keyId: string,
  passphrase: string,
): Promise<string> {
  const secret = privateKey.export({ type: "pkcs8", format: "der" });
  const sealed = await sealKey(secret, passphrase, realmOf(keyId));
  const lines = Buffer.from(JSON.stringify(sealed)).toString("base64").match(LINE) ?? [];
  return [BEGIN, ...lines, END, ""].join("\n");
}

/** Null when the passphrase is wrong, or the file was changed or is that of another key. */
export async function openSealedFile(
  text: string,
  keyId: string,
  passphrase: string,
): Promise<KeyObject | null> {
  const body = text.slice(text.indexOf(BEGIN) + BEGIN.length, text.lastIndexOf(END));
  const sealed = parseJson(Buffer.from(body, "base64").toString("utf8"));
  if (!isSealedKey(sealed)) return null;
  const secret = await openSealedKey(sealed, passphrase, realmOf(keyId));
  if (secret === null) return null;
  return createPrivateKey({ key: Buffer.from(secret), format: "der", type: "pkcs8" });
}

/** A file that is put in another key's place does not open. */
function realmOf(keyId: string): string {
  return `release signing key ${keyId}`;
}
