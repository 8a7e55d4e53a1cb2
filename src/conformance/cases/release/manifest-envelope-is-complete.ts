import { violate } from "../../expect.ts";
import { expectEnvelope } from "../../release/bodies.ts";
import { fetchManifest } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

const SIGNATURE_BYTES = 64;

export const manifestEnvelopeIsComplete: ReleaseCase = {
  id: "manifest-envelope-is-complete",
  title: "The manifest is an Ed25519 envelope whose payload and signature are unpadded Base64URL",
  section: "release contract, GET /api/v1/manifest; SignedManifestEnvelope",
  async run(target) {
    const answer = await fetchManifest(target);
    const envelope = expectEnvelope(answer);
    for (const name of ["payload", "signature"] as const) {
      const bytes = Buffer.from(envelope[name], "base64url");
      if (bytes.toString("base64url") !== envelope[name]) {
        violate(answer.asked, `${name} in canonical Base64URL`, "stray bits at its end");
      }
    }
    const size = Buffer.from(envelope.signature, "base64url").length;
    if (size !== SIGNATURE_BYTES) {
      violate(answer.asked, `a signature of ${SIGNATURE_BYTES} bytes`, `one of ${size}`);
    }
  },
};
