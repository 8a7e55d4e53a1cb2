/** How many bytes a manifest takes, and which releases take them. */
import type { WithdrawnRelease } from "../../contract/release/schemas.ts";
import { LARGE_MANIFEST_BYTES, MAX_SIGNED_MANIFEST_BYTES } from "../../contract/release/values.ts";
import { encodeUtf8 } from "../web-crypto.ts";

/** The release is public, or a draft that may become one. */
interface SizedRelease {
  readonly version: string;
  readonly notes: unknown;
  readonly presentation?: unknown;
  readonly media?: unknown;
  readonly artifacts: unknown;
}

interface Sized {
  readonly releases: readonly SizedRelease[];
  readonly withdrawn: readonly WithdrawnRelease[];
}

/** The envelope has four characters for three bytes of the payload, and little beside them. */
export function envelopeBytes(payload: unknown): number {
  return Math.ceil((jsonBytes(payload) * 4) / 3) + ENVELOPE_BYTES;
}

/** The members with a key id and a signature. */
const ENVELOPE_BYTES = 300;

/** Null while the manifest is small enough for every copy that downloads it. */
export function explainManifestSize(bytes: number, payload: Sized): string | null {
  if (bytes < LARGE_MANIFEST_BYTES) return null;
  const largest = payload.releases
    .map((release) => ({
      name: release.version,
      bytes: jsonBytes(release),
      ...largestMember(release),
    }))
    .concat({ name: "what was withdrawn", bytes: jsonBytes(payload.withdrawn), member: null })
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, NAMED);
  return largest
    .map(
      ({ name, bytes: size, member }) =>
        `${name} takes ${toKibibytes(size)}${member === null ? "" : `, most of it ${member}`}`,
    )
    .join("; ");
}

/** The number of releases that a message names. */
const NAMED = 3;

function largestMember(release: SizedRelease): { readonly member: string | null } {
  const [largest] = (["notes", "presentation", "media", "artifacts"] as const).toSorted(
    (a, b) => jsonBytes(release[b] ?? null) - jsonBytes(release[a] ?? null),
  );
  return { member: largest ?? null };
}

export function isTooLarge(bytes: number): boolean {
  return bytes > MAX_SIGNED_MANIFEST_BYTES;
}

export function toKibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}

function jsonBytes(value: unknown): number {
  return encodeUtf8(JSON.stringify(value)).length;
}
