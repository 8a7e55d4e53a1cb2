/**
 * Bounds what the bodies of strangers take while they are received and wait in line: in the process, of each
 * instance, and of each network. Where there is no room, the body that is received for the longest is given
 * up: an honest one comes within a moment.
 */
import { BodyBudgetError } from "../../http/read-body.ts";
import type { RawRequest } from "../../http/request.ts";
import { clientNetworks, networkShares } from "../../identity/client-network.ts";

export interface StrangersBodies {
  /** The request with a body that counts until `release`. */
  receive(request: RawRequest, address: string, instance: string): StrangersBody;
}

export interface StrangersBody {
  readonly request: RawRequest;
  release(): void;
}

export interface StrangersLimits {
  readonly process: number;
  readonly instance: number;
  /** For a client; its wider networks have a multiple of it. */
  readonly network: number;
}

/**
 * A client has room for the longest body, for the read that shows one to be too long (413, and not 503), and for
 * small ones beside it: most have less than one KiB.
 */
export const STRANGERS_LIMITS: StrangersLimits = {
  process: 16 * 1024 * 1024,
  instance: 4 * 1024 * 1024,
  network: (256 + 64) * 1024,
};

interface Budget {
  readonly key: string;
  readonly most: number;
  taken: number;
  bodies: number;
  /** Those that are not whole yet, the oldest first. */
  readonly receiving: Set<Body>;
}

interface Body {
  readonly budgets: readonly Budget[];
  bytes: number;
  giveUp(): void;
}

export function createStrangersBodies(limits: StrangersLimits = STRANGERS_LIMITS): StrangersBodies {
  const budgets = new Map<string, Budget>();

  function join(key: string, most: number): Budget {
    const budget = budgets.get(key) ?? { key, most, taken: 0, bodies: 0, receiving: new Set() };
    budgets.set(key, budget);
    budget.bodies++;
    return budget;
  }

  function count(body: Body, bytes: number): void {
    body.bytes += bytes;
    for (const budget of body.budgets) budget.taken += bytes;
  }

  function makeRoom(body: Body, bytes: number): void {
    for (const budget of body.budgets) {
      while (budget.taken + bytes > budget.most) {
        const [oldest] = budget.receiving;
        if (oldest === undefined || oldest === body) throw new BodyBudgetError();
        oldest.giveUp();
      }
    }
  }

  async function* read(request: RawRequest, body: Body, givenUp: Promise<never>) {
    const chunks = request.body()[Symbol.asyncIterator]();
    for (const { receiving } of body.budgets) receiving.add(body);
    try {
      for (;;) {
        const next = await Promise.race([chunks.next(), givenUp]);
        if (next.done === true) return;
        makeRoom(body, next.value.byteLength);
        count(body, next.value.byteLength);
        yield next.value;
      }
    } finally {
      for (const { receiving } of body.budgets) receiving.delete(body);
      // What is given up may never come: nothing waits for it.
      void chunks.return?.()?.catch(() => {});
    }
  }

  return {
    receive(request, address, instance) {
      const givenUp = Promise.withResolvers<never>();
      givenUp.promise.catch(() => {});
      const networks = networkShares(clientNetworks(address));
      const body: Body = {
        budgets: [
          ...networks.map(({ key, share }) => join(`${share} ${key}`, share * limits.network)),
          join(`of ${instance}`, limits.instance),
          join("", limits.process),
        ],
        bytes: 0,
        giveUp() {
          count(body, -body.bytes);
          for (const { receiving } of body.budgets) receiving.delete(body);
          givenUp.reject(new BodyBudgetError());
        },
      };
      let isReleased = false;
      return {
        request: {
          method: request.method,
          target: request.target,
          remoteAddress: request.remoteAddress,
          header: (name) => request.header(name),
          body: () => read(request, body, givenUp.promise),
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          count(body, -body.bytes);
          for (const budget of body.budgets) {
            if (--budget.bodies === 0) budgets.delete(budget.key);
          }
        },
      };
    },
  };
}
