/** Verifies a signed manifest wherever WebCrypto is: in apps, on pages, on the command line. */
import {
  openManifest,
  type ManifestOutcome,
  type ManifestTrust,
} from "../../rules/release/open-manifest.ts";
import { webCryptoPrimitives } from "./webcrypto.ts";

/** `envelopeText` is the envelope exactly as it was received: never parsed and written again. */
export function verifyManifest(
  envelopeText: string,
  trust: ManifestTrust,
): Promise<ManifestOutcome> {
  return openManifest(envelopeText, trust, webCryptoPrimitives);
}
