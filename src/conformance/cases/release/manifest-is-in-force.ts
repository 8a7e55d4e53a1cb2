import { parseDateTime } from "../../../contract/date-time.ts";
import { violate } from "../../expect.ts";
import { fetchManifest, readPayload } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

const CLOCK_SKEW_MS = 300_000;

export const manifestIsInForce: ReleaseCase = {
  id: "manifest-is-in-force",
  title: "The manifest was issued, has not expired, and its sequence never goes back",
  section: "Trellis decision, release service: decoded manifest payload, sequence and expiry",
  async run(target) {
    const answer = await fetchManifest(target);
    const { issuedAt, expiresAt, sequence } = readPayload(answer);
    const [issued, expires] = [parseDateTime(issuedAt) ?? 0, parseDateTime(expiresAt) ?? 0];
    const now = Date.now();
    if (issued > now + CLOCK_SKEW_MS) violate(answer.asked, "issuedAt in the past", issuedAt);
    if (expires <= issued) violate(answer.asked, `expiresAt after ${issuedAt}`, expiresAt);
    if (expires <= now) violate(answer.asked, "expiresAt in the future", expiresAt);
    const again = await fetchManifest(target);
    const next = readPayload(again).sequence;
    if (next < sequence) violate(again.asked, `a sequence of at least ${sequence}`, `${next}`);
  },
};
