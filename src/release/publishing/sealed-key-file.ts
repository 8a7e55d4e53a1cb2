/**
 * A signing key that is sealed as the instance key is in a backup: scrypt and AES-256-GCM. The file has
 * the textual form of RFC 7468, so that it can be printed or kept as a secret of a build service. It
 * names its key and has a digest, so that a wrong file and a damaged one are not mistaken for a wrong
 * passphrase. Neither is proof against a forger; that is what the seal is for.
 */
import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { isObject } from "../../contract/is-object.ts";
import type { SealedKey } from "../../contract/sealed-key.ts";
import { isSealedKey, openSealedKey, sealKey } from "../../identity/seal-key.ts";
import { decodeBase64Url } from "../../rules/base64url.ts";
import { parseJson } from "../../rules/parse-json.ts";

const LABEL = "TRELLIS SEALED SIGNING KEY";
const BEGIN = `-----BEGIN ${LABEL}-----`;
const END = `-----END ${LABEL}-----`;
const LINE = /.{1,64}/g;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface SealedKeyFile {
  readonly kind: "sealed";
  readonly sealed: SealedKey;
  /** False for a file that was written without a digest: it may be damaged all the same. */
  readonly isIntact: boolean;
}

export type SealedFileError =
  | { readonly kind: "damaged"; readonly detail: string }
  | { readonly kind: "other-key"; readonly keyId: string };

export function isSealed(text: string): boolean {
  return text.includes(BEGIN);
}

export async function sealPrivateKey(
  privateKey: KeyObject,
  keyId: string,
  passphrase: string,
): Promise<string> {
  const secret = privateKey.export({ type: "pkcs8", format: "der" });
  const content = { keyId, ...(await sealKey(secret, passphrase, realmOf(keyId))) };
  const file = JSON.stringify({ ...content, sha256: digestOf(content) });
  const lines = Buffer.from(file).toString("base64").match(LINE) ?? [];
  return [BEGIN, ...lines, END, ""].join("\n");
}

/** All that can be known without the passphrase. */
export function readSealedFile(text: string, keyId: string): SealedKeyFile | SealedFileError {
  const end = text.lastIndexOf(END);
  if (end < 0) return damaged("its end is missing");
  const body = text.slice(text.indexOf(BEGIN) + BEGIN.length, end).replaceAll(/\s/g, "");
  if (!BASE64.test(body)) return damaged("its lines are not Base64");
  const file = parseJson(Buffer.from(body, "base64").toString("utf8"));
  if (!isObject(file)) return damaged("its content cannot be read");
  const { sha256, ...content } = file;
  if (sha256 !== undefined && sha256 !== digestOf(content)) {
    return damaged("its content is not what was written");
  }
  const found = content["keyId"];
  if (typeof found === "string" && found !== keyId) return { kind: "other-key", keyId: found };
  if (!isSealedKey(content)) return damaged("it is not sealed in a way that this version knows");
  if (decodeBase64Url(content.salt) === null || decodeBase64Url(content.sealed) === null) {
    return damaged("its content is not Base64URL");
  }
  return { kind: "sealed", sealed: content, isIntact: sha256 !== undefined };
}

/** Null when the passphrase is wrong, or the file was changed or is that of another key. */
export async function openSealedFile(
  { sealed }: SealedKeyFile,
  keyId: string,
  passphrase: string,
): Promise<KeyObject | null> {
  const secret = await openSealedKey(sealed, passphrase, realmOf(keyId));
  if (secret === null) return null;
  return createPrivateKey({ key: Buffer.from(secret), format: "der", type: "pkcs8" });
}

function damaged(detail: string): SealedFileError {
  return { kind: "damaged", detail };
}

function digestOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

/** A file that is put in another key's place does not open. */
function realmOf(keyId: string): string {
  return `release signing key ${keyId}`;
}
