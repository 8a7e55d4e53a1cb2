import { verifyManifest } from "../../../rules/release/open-manifest.ts";
import { NotTestable } from "../../case.ts";
import { describeValue, violate } from "../../expect.ts";
import { fetchManifest, readPayload } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const manifestSignatureHolds: ReleaseCase = {
  id: "manifest-signature-holds",
  title: "A client that pins the keys can verify the manifest over its decoded payload bytes",
  section: "release contract, Authentication: integrity rules 1 and 2; SignedManifestEnvelope",
  async run(target) {
    const { keys, product } = target.input;
    if (keys === undefined) {
      throw new NotTestable("No public keys are known; give the key ring with --keys");
    }
    const answer = await fetchManifest(target);
    const outcome = await verifyManifest(Buffer.from(answer.body).toString("utf8"), {
      keys,
      product: product ?? readPayload(answer).product,
      highestSequence: 0,
      now: Date.now(),
    });
    // Whether it is still in force is the subject of a case of its own.
    if (outcome.kind === "verified" || outcome.kind === "expired") return;
    violate(answer.asked, "a manifest that verifies", describeValue(outcome));
  },
};
