/** Rate limits. The store is a port: memory here, a shared database where several processes run. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export type RateLimitResult =
  | { readonly kind: "allowed" }
  | { readonly kind: "limited"; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /** Counts one request of `key` and says whether it may pass. */
  consume(key: string): Promise<RateLimitResult>;
}

export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export function createMemoryRateLimiter({ requests, windowSeconds }: RateLimit): RateLimiter {
  const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  return {
    consume: async (key) => {
      try {
        await limiter.consume(key);
        return { kind: "allowed" };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        return { kind: "limited", retryAfterSeconds };
      }
    },
  };
}
