import type { Origin, ReceivedResponse } from "./http.ts";

/** The timeout of cases that wait for rate limits, or for a person who types a password. */
export const RATE_LIMITED_CASE_TIMEOUT_MS = 15 * 60_000;

const MAX_WAITS = 10;
const MAX_WAIT_SECONDS = 300;

/** Sends a rate-limited request again after its `Retry-After`: limits are no part of the test. */
export function retryRateLimited(origin: Origin): Origin {
  const send: Origin["send"] = async (...request) => {
    for (let waits = 0; ; waits++) {
      const response = await origin.send(...request);
      const seconds = readRetryAfter(response);
      if (seconds === null || waits === MAX_WAITS) return response;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
  return { ...origin, send, get: (target, headers) => send("GET", target, headers) };
}

function readRetryAfter(response: ReceivedResponse): number | null {
  const text = response.header("Retry-After") ?? "";
  if (response.status !== 429 || !/^\d{1,3}$/.test(text)) return null;
  const seconds = Number(text);
  return seconds <= MAX_WAIT_SECONDS ? seconds : null;
}
