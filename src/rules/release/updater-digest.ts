/**
 * A digest of what other updaters check the files by. The public release has no place for it, so the
 * manifest signs this digest beside the releases: a changed SHA-512 or signature in the catalogue is
 * found as a changed release is.
 */
import type { SourceArtifact } from "../../contract/release/types.ts";

/** In hexadecimal. */
export type Sha256 = (text: string) => string;

export interface UpdaterMembersDigest {
  readonly version: string;
  /** Null for a release without such members. */
  readonly sha256: string | null;
}

/** Of one release. */
export function digestUpdaterMembers(
  artifacts: readonly UpdaterMembers[],
  sha256: Sha256,
): string | null {
  const members = artifacts.map(({ sha512, signatures, minimumOs }) => [
    sha512 ?? null,
    signatures?.minisign ?? null,
    signatures?.sparkle ?? null,
    minimumOs ?? null,
  ]);
  const isEmpty = members.every((list) => list.every((member) => member === null));
  return isEmpty ? null : sha256(JSON.stringify(members));
}

type UpdaterMembers = Pick<SourceArtifact, "sha512" | "signatures" | "minimumOs">;

/** Of all published releases, newest build first; undefined when none has such members. */
export function digestForUpdaters(
  releases: readonly UpdaterMembersDigest[],
  sha256: Sha256,
): string | undefined {
  const lines = releases.flatMap((release) =>
    release.sha256 === null ? [] : [`${release.version} ${release.sha256}`],
  );
  return lines.length === 0 ? undefined : sha256(lines.join("\n"));
}
