/**
 * Bounds the processor time of searching the occurrences of a calendar's rules, so that costly ones do not use
 * up the time in which the others are read. Elapsed time would let a busy machine decide what is read.
 */
export interface SearchBudget {
  /** Whether nothing is left of what the rules share. */
  isUsedUp(): boolean;
  beginRule(): RuleSearch;
}

export interface RuleSearch {
  /** Counts the time since the last call; false when the search has to end. */
  mayGoOn(): boolean;
}

/** Every rule has this, whatever the others took: many times what usual ones need. */
const OWN_MS = 100;
/** A small part of the time in which a subscription has to be read. */
const SHARED_MS = 1_000;

export function createSearchBudget(now: () => number = processorTime): SearchBudget {
  let left = SHARED_MS;
  return {
    isUsedUp: () => left <= 0,
    beginRule: () => {
      let counted = now() + OWN_MS;
      return {
        mayGoOn: () => {
          const time = now();
          if (time <= counted) return true;
          left -= time - counted;
          counted = time;
          return left > 0;
        },
      };
    },
  };
}

/** The processor time of this thread in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
