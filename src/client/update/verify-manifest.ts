/** Verifies a signed manifest wherever WebCrypto is: in apps, on pages, on the command line. */
import {
  openManifest,
  type ManifestResult,
  type ManifestTrust,
} from "../../rules/release/open-manifest.ts";
import { webCryptoPrimitives } from "./webcrypto.ts";

/** `envelopeText` is the envelope exactly as it was received: never parsed and written again. */
export function verifyManifest(
  envelopeText: string,
  trust: ManifestTrust,
): Promise<ManifestResult> {
  return openManifest(envelopeText, trust, webCryptoPrimitives);
}
