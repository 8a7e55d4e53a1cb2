/** The lists that apps ask for. */
import type { StoredEvent } from "../../src/events/store.ts";
import type { BareOrder } from "./bare-orders.ts";

const LIMIT = 500;
/** How many are asked for in a slice. */
export const LISTS = 60;

export interface ListScenario {
  readonly name: string;
  /** Null asks for everything. */
  moments(events: readonly StoredEvent[]): readonly (number | null)[];
}

export const LIST_SCENARIOS: readonly ListScenario[] = [
  { name: "full", moments: () => [null] },
  { name: "changes since 1970", moments: () => [0] },
  {
    name: "changes since any moment",
    // The moments are from the first two fifths, so that even of few events a whole page is left.
    moments: (events) =>
      Array.from({ length: LISTS }, (_, part) => {
        const index = Math.floor((events.length * 0.4 * part) / LISTS);
        return events[index]?.updatedAt ?? 0;
      }),
  },
];

/** The order by which a bare store lists the same events. */
export function bareOrder(moments: readonly (number | null)[], upcomingFrom: number): BareOrder {
  const sinces = moments.filter((moment) => moment !== null);
  return sinces.length === 0
    ? { kind: "full", upcomingFrom, limit: LIMIT, count: LISTS }
    : { kind: "changes", moments: sinces, limit: LIMIT, count: LISTS };
}

export function queryFrom(since: number | null): string {
  return since === null
    ? `limit=${LIMIT}`
    : `limit=${LIMIT}&updated_since=${new Date(since).toISOString()}`;
}
