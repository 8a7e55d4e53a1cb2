/** Says in words why a manifest cannot be trusted, and what to do about it. */
import { MAX_MANIFEST_LIFETIME_DAYS, MAX_SEQUENCE_STEP } from "../../contract/release/values.ts";
import type { ManifestError } from "../../rules/release/verify-manifest.ts";

export interface ManifestExplanation {
  readonly problem: string;
  readonly remedy: string;
}

/** Clients that saw a later manifest would refuse one that begins again at sequence 1. */
export const LOST_MANIFEST_REMEDY = `restore it from version control; if it is lost, run \`trellis release sign --sequence N\` with an N higher than any sequence that clients have seen, by at most ${MAX_SEQUENCE_STEP}; if there never was one, N is 1`;

export function explainManifestError(found: ManifestError): ManifestExplanation {
  const restore = "restore it from version control";
  switch (found.kind) {
    case "malformed-envelope":
      return explain(`is not a signed manifest (${found.detail})`, restore);
    case "wrong-algorithm":
      return explain(`is signed with "${found.algorithm}", not ed25519`, restore);
    case "unknown-key":
      return explain(
        `is signed with the key "${found.keyId}", which is not in the key ring`,
        "add that public key to the ring, or take the ring that belongs to it",
      );
    case "revoked-key":
      return explain(
        `is signed with the key "${found.keyId}", which is revoked`,
        `${restore}, because a thief may have replaced it; to revoke a key use \`trellis release key revoke\``,
      );
    case "conflicting-revocations":
      return explain(
        `is signed with the key "${found.keyId}", but the keys ${quoteList(found.contestedKeys)} revoke each other, so clients that see it trust none of them`,
        "do not serve it; one of these keys is stolen: revoke it with a third key that apps pin, or distribute a version of the app that does not pin it in another way; see docs/guides/lost-or-stolen.md",
      );
    case "unsupported-runtime":
      return explain("cannot be verified: no Ed25519 here", "use a newer runtime");
    case "bad-signature":
      return explain(
        `has a signature that the key "${found.keyId}" did not make`,
        `the file was changed or the key replaced: ${restore}`,
      );
    case "malformed-payload":
      return explain(`holds a payload that is not a manifest (${found.detail})`, restore);
    case "wrong-product":
      return explain(
        `belongs to the product "${found.found}", not "${found.expected}"`,
        "use the manifest and the catalogue of the same product",
      );
    case "rollback":
    case "sequence-jump":
    case "conflicting-manifest":
    case "lifetime-too-long":
    case "expired":
      return explainStaleness(found);
  }
}

type StalenessError = Extract<
  ManifestError,
  {
    kind: "rollback" | "sequence-jump" | "conflicting-manifest" | "lifetime-too-long" | "expired";
  }
>;

/** A genuine manifest, but not the one of this time. */
function explainStaleness(found: StalenessError): ManifestExplanation {
  switch (found.kind) {
    case "rollback":
      return explain(
        `has sequence ${found.sequence}, older than ${found.highestSequence} seen before`,
        "take the newest manifest",
      );
    case "sequence-jump":
      return explain(
        `has sequence ${found.sequence}, more than ${MAX_SEQUENCE_STEP} above ${found.highestSequence} seen before`,
        "take the manifest that was signed after that one",
      );
    case "conflicting-manifest":
      return explain(
        `is not the manifest that was seen before with the same sequence ${found.sequence}`,
        "if you did not sign both, the key is stolen: see docs/guides/lost-or-stolen.md",
      );
    case "lifetime-too-long":
      return explain(
        `is valid from ${found.issuedAt} to ${found.expiresAt}, longer than ${MAX_MANIFEST_LIFETIME_DAYS} days`,
        "lower `manifestLifetimeDays` in catalog.json, then run `trellis release sign`: clients refuse this one",
      );
    case "expired":
      return explain(
        `expired at ${found.expiresAt}`,
        "run `trellis release sign`, and run it on a timer",
      );
  }
}

function explain(problem: string, remedy: string): ManifestExplanation {
  return { problem, remedy };
}

function quoteList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
