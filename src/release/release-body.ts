/** The public JSON of releases, serialised once: answers and the signed payload hold the same text. */
import type { Release, ReleaseSummary } from "../contract/release/schemas.ts";

export interface ReleaseBody {
  readonly text: string;
  /** Where its last member, the artifacts, begins: the downloads are cut from there. */
  readonly artifactsAt: number;
}

export interface PublishedBodies {
  /** Newest build first. */
  readonly summaries: readonly ReleaseSummary[];
  find(version: string): ReleaseBody | undefined;
}

export function serialiseRelease({ artifacts, ...rest }: Release): ReleaseBody {
  const before = JSON.stringify(rest).slice(0, -1);
  return {
    text: `${before},"artifacts":${JSON.stringify(artifacts)}}`,
    artifactsAt: before.length,
  };
}

/** `releases` are newest build first. */
export function holdBodies(releases: readonly Release[]): PublishedBodies {
  const bodies = new Map(releases.map((release) => [release.version, serialiseRelease(release)]));
  return {
    summaries: releases.map(({ version, buildNumber, channel, publishedAt }) => ({
      version,
      buildNumber,
      channel,
      publishedAt,
    })),
    find: (version) => bodies.get(version),
  };
}
