import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export type RateLimitResult =
  | { readonly kind: "allowed" }
  | { readonly kind: "limited"; readonly retryAfterSeconds: number };

export interface RateLimiter {
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
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        return { kind: "limited", retryAfterSeconds };
      }
    },
  };
}
