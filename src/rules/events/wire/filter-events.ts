/** What a person looks for in the list of events. */
import type { EventFilter } from "../../../contract/events/page-views.ts";
import { fullOrderGroup } from "./full-order.ts";

type EventState = EventFilter["state"];

/** In the order of the groups of a full list. */
export const EVENT_STATES = [
  "upcoming",
  "past",
  "undated",
] as const satisfies readonly EventState[];

export function isFiltered({ text, sourceId, state }: EventFilter): boolean {
  return text.trim() !== "" || sourceId !== null || state !== null;
}

export function hasState(dateAt: number | null, state: EventState, from: number): boolean {
  return state === null || EVENT_STATES[fullOrderGroup(dateAt, from)] === state;
}

/** Whether title and subject have every word, in any case and with or without accents. */
export function createTextMatcher(text: string): (texts: readonly (string | null)[]) => boolean {
  const words = fold(text).split(/\s+/u).filter(Boolean);
  return (texts) => {
    const folded = fold(texts.join(" "));
    return words.every((word) => folded.includes(word));
  };
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
