/**
 * The Ed25519 signature of an artifact for Sparkle: given, or made with the catalogue's key. It is of
 * the file itself, as with Sparkle's sign_update, so the file is in memory while it is signed.
 */
import { sign, verify } from "node:crypto";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { decodeBase64 } from "../../rules/base64.ts";
import { findUpdaterKey } from "../../rules/release/updater-keys.ts";
import { publishingError, type CatalogContext, type PublishingError } from "./change-catalog.ts";
import { toEd25519Key } from "./ed25519-key.ts";
import type { PassphraseSource } from "./key-files.ts";
import { completed, type SignaturePlan } from "./signature-plan.ts";
import { openUpdaterKey } from "./updater-keys.ts";

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

/** Checked against the file when the catalogue knows the public key. */
export function planSparkleSignature(
  settings: CatalogFile,
  text: string,
): SignaturePlan | PublishingError {
  const signature = decodeBase64(text);
  if (signature?.length !== 64) {
    return publishingError(
      `--ed-signature is no Ed25519 signature: give the 88 characters that Sparkle's \`sign_update -p\` prints, which are the value of sparkle:edSignature`,
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
