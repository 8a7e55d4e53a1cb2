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
  network: { requests: 20, windowSeconds: 60 },
};

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
    const budgets = [
      { of: "process" as const, key: "", share: 1 },
      ...networkShares(clientNetworks(address)).map((group) => ({
        ...group,
        of: "network" as const,
      })),
    ].map(({ of, key, share }) => {
      const { requests, windowSeconds } = of === "process" ? process : network;
      const name = `${of} ${share} ${key}`;
      return { of, name, most: requests * share, window: findWindow(name, windowSeconds) };
    });
    // What is refused is not counted: a client cannot use up the share of its neighbours.
    const usedUp = budgets.find(({ window, most }) => window.taken >= most);
    if (usedUp !== undefined) return usedUp.of;
    for (const { name, window } of budgets) {
      window.taken++;
      windows.set(name, window);
    }
    return null;
  };
}
