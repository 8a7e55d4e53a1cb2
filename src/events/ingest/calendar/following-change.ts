/** A change of an occurrence and of all later ones (RFC 5545 3.2.13, RANGE=THISANDFUTURE). */
import { DAY_MS } from "../../../contract/durations.ts";
import type { EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { instantToWallTime, wallTimeToInstant } from "../../../rules/events/ingest/time-zone.ts";
import { dateOf, momentOf, type CalendarItem } from "./calendar-item.ts";

export interface FollowingChange {
  /** The moment of the first occurrence that the change applies to. */
  readonly from: number;
  /** The change moves a date by no more than this. */
  readonly reachMs: number;
  /** Null when the dates are of different kinds. */
  show(occurrence: EntryDate): { readonly item: CalendarItem; readonly date: EntryDate } | null;
}

/** Null for another range, and for one that makes whole days of moments or the reverse. */
export function readFollowingChange(
  item: CalendarItem,
  series: CalendarItem,
): FollowingChange | null {
  const { changes, range } = item;
  const shown = dateOf(item);
  if (range !== "THISANDFUTURE" || changes === null) return null;
  if (changes.kind !== series.start.date.kind || shown.kind !== changes.kind) return null;
  return {
    from: momentOf(changes),
    // Clocks may change between the two dates.
    reachMs: Math.abs(momentOf(shown) - momentOf(changes)) + DAY_MS,
    show: (occurrence) => {
      const date = moveAlike(occurrence, changes, item);
      return date === null ? null : { item, date };
    },
  };
}

/** Moves an occurrence as far as the change moves its own, by the clock of its zone. */
function moveAlike(
  occurrence: EntryDate,
  changes: EntryDate,
  item: CalendarItem,
): EntryDate | null {
  const shown = dateOf(item);
  if (occurrence.kind === "day") {
    if (changes.kind !== "day" || shown.kind !== "day") return null;
    return { kind: "day", wall: occurrence.wall + shown.wall - changes.wall };
  }
  if (changes.kind !== "moment" || shown.kind !== "moment") return null;
  const { ruleZone } = item.start;
  const wallOf = ({ instant }: { readonly instant: number }) =>
    instantToWallTime(instant, ruleZone);
  const wall = wallOf(occurrence) + wallOf(shown) - wallOf(changes);
  return { ...shown, instant: wallTimeToInstant(wall, ruleZone) };
}
