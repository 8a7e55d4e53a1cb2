/** Private keys that Sparkle's `generate_keys -x` and `winsparkle-tool generate-key` write. */
import { decodeBase64 } from "../../rules/base64.ts";
import { toEd25519PrivateKey, toRawPublicKey } from "./ed25519-key.ts";
import type { ImportedKey } from "./imported-key.ts";
import { isMinisignFile } from "./read-minisign-secret.ts";

export type SparkleSecretResult =
  | ({ readonly kind: "opened" } & ImportedKey)
  /** `detail` completes "the file … is no private key of Sparkle". */
  | { readonly kind: "no-secret"; readonly detail: string }
  /** An older form: not the seed, but its SHA-512, with which node:crypto cannot sign. */
  | { readonly kind: "hashed-seed" };

const SEED_BYTES = 32;
const HASHED_SEED_BYTES = 96;

export function readSparkleSecret(text: string): SparkleSecretResult {
  if (isMinisignFile(text)) {
    return {
      kind: "no-secret",
      detail: "it is a file of minisign: import it with --kind minisign",
    };
  }
  const bytes = decodeBase64(text.trim());
  if (bytes === null) {
    return { kind: "no-secret", detail: "it is not one line of Base64" };
  }
  if (bytes.length === HASHED_SEED_BYTES) return { kind: "hashed-seed" };
  if (bytes.length !== SEED_BYTES) {
    return { kind: "no-secret", detail: `it has ${bytes.length} bytes, not ${SEED_BYTES}` };
  }
  const privateKey = toEd25519PrivateKey(bytes);
  return { kind: "opened", privateKey, publicKey: toRawPublicKey(privateKey).toString("base64") };
}
