/**
 * What the manifest has of a history, and what its archive: the cost of an update check must not depend on how
 * many releases came before. The manifest keeps what a copy may still act on.
 */
import { parseDateTime } from "../../contract/date-time.ts";
import type {
  PublishedSource,
  SourceRelease,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import type { Rollout } from "../../contract/release/schemas.ts";
import {
  EVERYBODY_PERCENT,
  MANIFEST_RELEASES,
  MANIFEST_WITHDRAWALS,
  RELEASE_CHANNELS,
} from "../../contract/release/values.ts";
import { isPublished, isWithdrawn, latestOf } from "./catalog.ts";
import { percentOf } from "./rollouts.ts";

/** Both lists are newest build first. */
export interface HistoryPart {
  readonly published: readonly PublishedSource[];
  readonly withdrawn: readonly WithdrawnSource[];
}

/** `releases` are newest build first. */
export function splitHistory(
  releases: readonly SourceRelease[],
  rollouts: readonly Rollout[],
): { readonly current: HistoryPart; readonly archived: HistoryPart } {
  const published = releases.filter(isPublished);
  const withdrawn = releases.filter(isWithdrawn);
  const kept = new Set<SourceRelease>([
    ...selectPublished(published, rollouts),
    ...selectWithdrawn(withdrawn, published),
  ]);
  const part = (isCurrent: boolean): HistoryPart => ({
    published: published.filter((release) => kept.has(release) === isCurrent),
    withdrawn: withdrawn.filter((release) => kept.has(release) === isCurrent),
  });
  return { current: part(true), archived: part(false) };
}

function selectPublished(
  published: readonly PublishedSource[],
  rollouts: readonly Rollout[],
): Set<PublishedSource> {
  const kept = new Set(
    RELEASE_CHANNELS.flatMap((channel) => offeredOf(channel, published, rollouts)),
  );
  for (const release of published) {
    if (kept.size >= MANIFEST_RELEASES) break;
    kept.add(release);
  }
  return kept;
}

/** The staged releases of a channel that are not overtaken, and the one that everybody else gets. */
function offeredOf(
  channel: PublishedSource["channel"],
  published: readonly PublishedSource[],
  rollouts: readonly Rollout[],
): PublishedSource[] {
  const own = published.filter((release) => release.channel === channel);
  const everybody = own.findIndex(
    ({ version }) => percentOf(rollouts, version) >= EVERYBODY_PERCENT,
  );
  return everybody < 0 ? own : own.slice(0, everybody + 1);
}

function selectWithdrawn(
  withdrawn: readonly WithdrawnSource[],
  published: readonly PublishedSource[],
): WithdrawnSource[] {
  const last = withdrawn.toSorted((a, b) => withdrawnAt(b) - withdrawnAt(a));
  // A copy that runs one of these is offered nothing newer, so it must learn why.
  const unreplaced = withdrawn.filter(
    ({ channel, buildNumber }) => buildNumber > (latestOf(published, channel)?.buildNumber ?? 0),
  );
  return [...last.slice(0, MANIFEST_WITHDRAWALS), ...unreplaced];
}

function withdrawnAt({ withdrawal }: WithdrawnSource): number {
  return parseDateTime(withdrawal.at) ?? 0;
}
