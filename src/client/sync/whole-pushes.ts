/**
 * A page that ends inside a push waits in memory for the rest of it: an app sees what belongs together at once. Nothing
 * of it is stored before, so a device that is killed in between asks again from its cursor.
 */
import type { PullPlace } from "./merge-page.ts";
import {
  requestPage,
  type PageContext,
  type PageResult,
  type PulledPages,
} from "./request-page.ts";
import { GREATEST_LIMITS } from "./transfer-limits.ts";

type Page = Extract<PageResult, { kind: "page" }>;

/** What has come of a push; kept between rounds, so that a line which often drops gets on. */
export interface HeldPart {
  current: { readonly place: PullPlace; readonly page: Page } | null;
}

/** Asks for the pages behind a place until a push ends. */
export async function requestWhole(
  context: PageContext & { readonly held: HeldPart },
  pages: PulledPages,
  place: PullPlace,
): Promise<PageResult> {
  const { held } = context;
  let part = held.current !== null && isSame(held.current.place, place) ? held.current.page : null;
  for (;;) {
    const cursor = part?.cursor ?? place.cursor;
    const next = await requestPage(context, pages, { ...place, cursor });
    if (next.kind === "failed") return next;
    held.current = null;
    if (next.kind === "lost-history") return next;
    part = part === null ? next : { ...next, operations: [...part.operations, ...next.operations] };
    // A log that was purged, or restored from an old backup, no longer tells its pushes apart.
    const isPush = part.operations.length < GREATEST_LIMITS.pushOperations;
    if (!next.endsInside || !next.hasMore || !isPush) return part;
    held.current = { place, page: part };
  }
}

function isSame(one: PullPlace, other: PullPlace): boolean {
  return (
    one.deviceId === other.deviceId && one.cursor === other.cursor && one.epoch === other.epoch
  );
}
