/** How an artifact gets a signature for another updater. */
import type { PublishingError } from "./change-catalog.ts";
import type { HashedFile, HashRequest } from "./hash-file.ts";

/** Made before the file is read, so that what cannot work fails before the long part. */
export interface SignaturePlan {
  readonly kind: "planned";
  readonly needs: HashRequest;
  complete(file: HashedFile): SignatureResult;
}

export type SignatureResult =
  | {
      readonly kind: "complete";
      /** As in the source release. */
      readonly signature: string;
      readonly warnings: readonly string[];
    }
  | PublishingError;

export function completed(signature: string, ...warnings: string[]): SignatureResult {
  return { kind: "complete", signature, warnings };
}
