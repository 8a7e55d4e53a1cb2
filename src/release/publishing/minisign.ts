/** Makes and verifies what minisign makes and verifies. */
import { createHash, sign, verify, type KeyObject } from "node:crypto";
import {
  formatKeyNumber,
  parseMinisignPublicKey,
  type MinisignPublicKey,
  type MinisignSignature,
} from "../../rules/release/minisign.ts";
import { toEd25519Key } from "./ed25519-key.ts";

const KEY_NUMBER_BYTES = 8;

/** The line that identifies a public key. Its number follows from the key, so that it cannot get lost. */
export function toMinisignPublicKey(rawPublicKey: Uint8Array): string {
  const keyNumber = createHash("sha256")
    .update(rawPublicKey)
    .digest()
    .subarray(0, KEY_NUMBER_BYTES);
  return Buffer.concat([Buffer.from("Ed"), keyNumber, rawPublicKey]).toString("base64");
}

/** What tauri.conf.json has as `pubkey`: the Base64 of a public key file of minisign. */
export function toTauriPublicKey(publicKey: string): string {
  const { keyNumber } = expectPublicKey(publicKey);
  const comment = `untrusted comment: minisign public key: ${formatKeyNumber(keyNumber)}`;
  return Buffer.from(`${comment}\n${publicKey}\n`).toString("base64");
}

export interface MinisignRequest {
  readonly privateKey: KeyObject;
  /** The line of the public key. */
  readonly publicKey: string;
  readonly blake2b512: Uint8Array;
  readonly fileName: string;
  readonly now: number;
}

/** What a `.sig` file of Tauri has. The comments are those of Tauri's bundler. */
export function signMinisign(request: MinisignRequest): string {
  const { privateKey, blake2b512, fileName, now } = request;
  const { keyNumber } = expectPublicKey(request.publicKey);
  const signature = sign(null, blake2b512, privateKey);
  const comment = `timestamp:${Math.floor(now / 1000)}\tfile:${fileName}`;
  const globalSignature = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
  const lines = [
    "untrusted comment: signature from tauri secret key",
    Buffer.concat([Buffer.from("ED"), keyNumber, signature]).toString("base64"),
    `trusted comment: ${comment}`,
    globalSignature.toString("base64"),
    "",
  ];
  return Buffer.from(lines.join("\n")).toString("base64");
}

export type MinisignVerification = "valid" | "other-key" | "other-file" | "changed-comment";

/** `message` is the BLAKE2b-512 digest of the file, or the file itself for a legacy signature. */
export function verifyMinisign(
  { signature, globalSignature, trustedComment, keyNumber }: MinisignSignature,
  publicKey: MinisignPublicKey,
  message: Uint8Array,
): MinisignVerification {
  if (!Buffer.from(keyNumber).equals(publicKey.keyNumber)) return "other-key";
  const key = toEd25519Key(publicKey.publicKey);
  if (!verify(null, message, key, signature)) return "other-file";
  const signed = Buffer.concat([signature, trustedComment]);
  return verify(null, signed, key, globalSignature) ? "valid" : "changed-comment";
}

/** The name in the trusted comment that minisign and Tauri write. */
export function signedFileName({ trustedComment }: MinisignSignature): string | null {
  const comment = Buffer.from(trustedComment).toString("utf8");
  return /(?:^|\t)file:([^\t]+)/.exec(comment)?.[1] ?? null;
}

function expectPublicKey(line: string): MinisignPublicKey {
  const key = parseMinisignPublicKey(line);
  if (key === null) throw new TypeError("The public key was not validated");
  return key;
}
