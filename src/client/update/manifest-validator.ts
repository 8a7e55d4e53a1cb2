/**
 * The ETag with which the client asks whether its manifest is still the newest. It is not signed: a
 * thief who responds once could give an envelope the ETag of the maker's next one, and the maker's own
 * service would then say "not modified" in place of the revocation. So an ETag is used without a limit
 * only when it begins with the digest of its envelope, as that of a Trellis service does, and any other for a
 * day. A compressed response has an ETag of its own, which goes on after a hyphen.
 */
import { DAY_MS } from "../../contract/durations.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { isObject } from "../../contract/is-object.ts";
import { isEtag } from "../../rules/http-headers.ts";
import { encodeUtf8, sha256 } from "../../rules/web-crypto.ts";

export interface ManifestValidator {
  readonly etag: string;
  /** When the envelope was received; null when the ETag has its digest. */
  readonly receivedAt: number | null;
}

/** Null when the ETag is missing, or not safe in a request. */
export async function createValidator(
  etag: string | null,
  envelope: string,
  now: number,
): Promise<ManifestValidator | null> {
  if (!isEtag(etag)) return null;
  const digest = encodeBase64Url(await sha256(encodeUtf8(envelope)));
  // A proxy that compresses makes the ETag weak.
  const [, tag] = /^(?:W\/)?"([\w-]{43})(?:-[\w-]*)?"$/.exec(etag) ?? [];
  return { etag, receivedAt: tag === digest ? null : now };
}

export function isValidator(value: unknown): value is ManifestValidator {
  return (
    isObject(value) &&
    isEtag(value["etag"]) &&
    (value["receivedAt"] === null || Number.isSafeInteger(value["receivedAt"]))
  );
}

/** A validator is current for a day, and not after the clock was set back either. */
export function isCurrent({ receivedAt }: ManifestValidator, now: number): boolean {
  return receivedAt === null || (receivedAt <= now && now - receivedAt < DAY_MS);
}
