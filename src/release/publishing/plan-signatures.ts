/** How an artifact gets its signatures for other updaters: made with the catalogue's keys, or given. */
import { sign, verify } from "node:crypto";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { decodeBase64 } from "../../rules/base64.ts";
import {
  formatKeyNumber,
  parseMinisignPublicKey,
  parseTauriSignature,
  type MinisignPublicKey,
  type MinisignSignature,
} from "../../rules/release/minisign.ts";
import { findUpdaterKey } from "../../rules/release/updater-keys.ts";
import { publishingError, type CatalogContext, type PublishingError } from "./change-catalog.ts";
import { toEd25519Key } from "./ed25519-key.ts";
import type { HashedFile, HashRequest } from "./hash-file.ts";
import type { PassphraseSource } from "./key-files.ts";
import { signedFileName, signMinisign, verifyMinisign } from "./minisign.ts";
import { readSmallFile } from "./read-small-file.ts";
import { openUpdaterKey } from "./updater-keys.ts";

/** A plan is made before the file is read, so that what cannot work fails before the long part. */
export interface SignaturePlan {
  readonly kind: "planned";
  readonly needs: HashRequest;
  complete(file: HashedFile): SignatureResult;
}

export type SignatureResult =
  | {
      readonly kind: "complete";
      /** The signature in the form of the source release. */
      readonly signature: string;
      readonly warnings: readonly string[];
    }
  | PublishingError;

function completed(signature: string, ...warnings: string[]): SignatureResult {
  return { kind: "complete", signature, warnings };
}

/** `existing` are the signatures of the draft: a file that is signed already keeps its signature. */
export async function planMinisign(
  context: CatalogContext,
  settings: CatalogFile,
  existing: readonly string[],
  askPassphrase: PassphraseSource,
): Promise<SignaturePlan | PublishingError> {
  const opened = await openUpdaterKey(settings, "minisign", context.keysFolder, askPassphrase);
  if (opened.kind === "refused") return opened;
  const { privateKey, key } = opened;
  return {
    kind: "planned",
    needs: { blake2b512: true, content: false },
    complete: ({ blake2b512, name: fileName }) => {
      const digest = blake2b512 ?? Buffer.alloc(0);
      const same = existing.find((text) => isSignatureOf(text, key.publicKey, digest, fileName));
      if (same !== undefined) return completed(same);
      const { publicKey } = key;
      const now = context.now();
      return completed(signMinisign({ privateKey, publicKey, blake2b512: digest, fileName, now }));
    },
  };
}

function isSignatureOf(text: string, line: string, digest: Buffer, fileName: string): boolean {
  const [result, publicKey] = [parseTauriSignature(text), parseMinisignPublicKey(line)];
  if (result.kind === "malformed" || publicKey === null) return false;
  const { signature } = result;
  if (!signature.isPrehashed || signedFileName(signature) !== fileName) return false;
  return verifyMinisign(signature, publicKey, digest) === "valid";
}

/** The signature is checked against the file when the catalogue knows the public key. */
export async function planMinisignFile(
  settings: CatalogFile,
  path: string,
): Promise<SignaturePlan | PublishingError> {
  const read = await readSignatureFile(path);
  if (read.kind === "refused") return read;
  const { signature, text } = read;
  const line = findUpdaterKey(settings, "minisign")?.publicKey;
  const publicKey = line === undefined ? null : parseMinisignPublicKey(line);
  if (publicKey === null) {
    return {
      kind: "planned",
      needs: { blake2b512: false, content: false },
      complete: ({ name }) => completed(text, ...warnUnverified(path, signature, name)),
    };
  }
  return {
    kind: "planned",
    needs: { blake2b512: signature.isPrehashed, content: !signature.isPrehashed },
    complete: (file) => checkSignature(path, text, signature, publicKey, file),
  };
}

function checkSignature(
  path: string,
  text: string,
  signature: MinisignSignature,
  publicKey: MinisignPublicKey,
  file: HashedFile,
): SignatureResult {
  const message = signature.isPrehashed ? file.blake2b512 : file.content;
  if (message === null) {
    return publishingError(
      `"${file.name}" is too large for the legacy signature "${path}", which needs the whole file in memory: sign its digest, as Tauri and minisign without -l do`,
    );
  }
  const [used, known] = [signature.keyNumber, publicKey.keyNumber].map(formatKeyNumber);
  switch (verifyMinisign(signature, publicKey, message)) {
    case "valid":
      return completed(text);
    case "other-key":
      return publishingError(
        `"${path}" was made with the minisign key ${used}, but the app's key in catalog.json is ${known}: sign the file with that key, or correct updaterKeys.minisign`,
      );
    case "other-file":
      return publishingError(
        `"${path}" is not the signature of "${file.name}": the file was built again after it was signed, or the signature is that of another file; sign it again`,
      );
    case "changed-comment":
      return publishingError(
        `The trusted comment in "${path}" was changed after the file was signed: sign the file again`,
      );
  }
}

function warnUnverified(path: string, signature: MinisignSignature, name: string): string[] {
  const signed = signedFileName(signature);
  const warnings = [
    `"${path}" was not verified, because catalog.json has no updaterKeys.minisign: enter the app's public key there to have it verified`,
  ];
  if (signed !== null && signed !== name) {
    warnings.push(
      `"${path}" names the file "${signed}", not "${name}": check that it is of this file`,
    );
  }
  return warnings;
}

type ReadSignature = {
  readonly kind: "read";
  readonly signature: MinisignSignature;
  readonly text: string;
};

/** The file is as Tauri writes it, in one line of Base64, or as minisign does, in four lines. */
async function readSignatureFile(path: string): Promise<ReadSignature | PublishingError> {
  const bytes = await readSmallFile(
    path,
    `the signature "${path}"`,
    `There is no signature file "${path}": Tauri's bundler writes it beside the file when TAURI_SIGNING_PRIVATE_KEY is set and createUpdaterArtifacts is on`,
  );
  if (bytes === null) return noSignatureError(path, "it is too large");
  if ("kind" in bytes) return bytes;
  const lines = bytes.toString("latin1").trim();
  const isPlain = lines.startsWith("untrusted comment:");
  const text = isPlain
    ? Buffer.from(`${lines.replaceAll("\r\n", "\n")}\n`, "latin1").toString("base64")
    : lines;
  const result = parseTauriSignature(text);
  if (result.kind === "malformed") return noSignatureError(path, result.detail);
  return { kind: "read", signature: result.signature, text };
}

function noSignatureError(path: string, detail: string): PublishingError {
  return publishingError(
    `"${path}" is not a signature of minisign (${detail}): give the .sig file that Tauri's bundler writes, or the .minisig file of minisign`,
  );
}

/** Sparkle signs the file itself, as its sign_update does, so the file is in memory while it is signed. */
export async function planSparkle(
  context: CatalogContext,
  settings: CatalogFile,
  askPassphrase: PassphraseSource,
): Promise<SignaturePlan | PublishingError> {
  const opened = await openUpdaterKey(settings, "sparkle", context.keysFolder, askPassphrase);
  if (opened.kind === "refused") return opened;
  return {
    kind: "planned",
    needs: { blake2b512: false, content: true },
    complete: ({ content, name }) =>
      content === null
        ? publishingError(
            `"${name}" is 2 GiB or larger, and Sparkle's signature needs the whole file in memory: sign it with Sparkle's sign_update, and give the signature with --ed-signature`,
          )
        : completed(sign(null, content, opened.privateKey).toString("base64")),
  };
}

/** The signature is checked against the file when the catalogue knows the public key. */
export function planSparkleSignature(
  settings: CatalogFile,
  text: string,
): SignaturePlan | PublishingError {
  const signature = decodeBase64(text);
  if (signature?.length !== 64) {
    return publishingError(
      `--ed-signature is not an Ed25519 signature: give the 88 characters that Sparkle's \`sign_update -p\` prints, which are the value of sparkle:edSignature`,
    );
  }
  const publicKey = findUpdaterKey(settings, "sparkle")?.publicKey;
  const key = publicKey === undefined ? null : decodeBase64(publicKey);
  return {
    kind: "planned",
    needs: { blake2b512: false, content: key !== null },
    complete: ({ content, name }) => {
      if (key === null) {
        return completed(
          text,
          "The signature for Sparkle was not verified, because catalog.json has no updaterKeys.sparkle: enter the app's SUPublicEDKey there to have it verified",
        );
      }
      if (content === null) {
        return completed(
          text,
          `The signature for Sparkle was not verified, because "${name}" is 2 GiB or larger`,
        );
      }
      return verify(null, content, toEd25519Key(key), signature)
        ? completed(text)
        : publishingError(
            `--ed-signature is not the signature of "${name}" by the app's key in catalog.json: the file was built again after it was signed, or was signed with another key; sign it again, or correct updaterKeys.sparkle`,
          );
    },
  };
}
