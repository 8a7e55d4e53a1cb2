/**
 * Bounds how often strangers, whose requests have no token of the instance, make a process open a store:
 * an opening costs as much as dozens of requests of a device.
 */
import { createBoundedCache } from "../../contract/bounded-cache.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import { clientNetworks, networkShares } from "../../identity/client-network.ts";

export interface OpeningLimits {
  /** The openings of all strangers of this process. */
  readonly process: RateLimit;
  /** The openings of a client; its wider networks share a multiple of them. */
  readonly network: RateLimit;
}

/** Whose budget is used up; null when the instance may be opened, which counts. */
export type TakeOpening = (address: string) => keyof OpeningLimits | null;

/** A person signs in with a few requests, of which the first one opens the instance. */
export const OPENING_LIMITS: OpeningLimits = {
  process: { requests: 20, windowSeconds: 10 },
  network: { requests: 5, windowSeconds: 10 },
};

/** No network, however wide, has more of the openings of the process. */
const NETWORK_PART = 0.5;
/** The last openings are for networks that have had none: a flood from a few of them leaves these. */
const RESERVED_PART = 0.25;

interface Window {
  readonly start: number;
  taken: number;
}

/** More than the process budget can count in a window of the networks. */
const MAX_WINDOWS = 10_000;

export function createOpeningBudget(limits: OpeningLimits, now: () => number): TakeOpening {
  const windows = createBoundedCache<string, Window>(MAX_WINDOWS);

  function findWindow(key: string, windowSeconds: number): Window {
    const windowMs = windowSeconds * 1000;
    const start = now() - (now() % windowMs);
    const known = windows.get(key);
    return known?.start === start ? known : { start, taken: 0 };
  }

  return (address) => {
    const { process, network } = limits;
    const mostOfNetwork = Math.floor(process.requests * NETWORK_PART);
    const networks = networkShares(clientNetworks(address)).map(({ key, share }) => ({
      of: "network" as const,
      name: `${share} ${key}`,
      most: Math.min(network.requests * share, mostOfNetwork),
      window: findWindow(`${share} ${key}`, network.windowSeconds),
    }));
    const isNew = networks[0]?.window.taken === 0;
    const reserved = isNew ? 0 : Math.floor(process.requests * RESERVED_PART);
    const window = findWindow("", process.windowSeconds);
    const most = process.requests - reserved;
    const budgets = [{ of: "process" as const, name: "", most, window }, ...networks];
    // What is refused is not counted: a client cannot use up the share of its neighbours.
    const usedUp = budgets.find((budget) => budget.window.taken >= budget.most);
    if (usedUp !== undefined) return usedUp.of;
    for (const budget of budgets) {
      budget.window.taken++;
      windows.set(budget.name, budget.window);
    }
    return null;
  };
}
