/** An origin whose rate limits are waited for: they are no part of what is tested. */
import type { HttpResponse, Origin } from "../http.ts";

// A window of a limit is a minute; somebody else may use the next one up too.
const MAX_WAITS = 10;
const MAX_WAIT_SECONDS = 300;

export function waitForLimits(origin: Origin): Origin {
  const send: Origin["send"] = async (...request) => {
    for (let waits = 0; ; waits++) {
      const answer = await origin.send(...request);
      const seconds = retryAfter(answer);
      if (seconds === null || waits === MAX_WAITS) return answer;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
  return { ...origin, send, get: (target, headers) => send("GET", target, headers) };
}

/** Null when there is nothing to wait for, or nobody says how long. */
function retryAfter(answer: HttpResponse): number | null {
  const text = answer.header("Retry-After") ?? "";
  if (answer.status !== 429 || !/^\d{1,3}$/.test(text)) return null;
  const seconds = Number(text);
  return seconds <= MAX_WAIT_SECONDS ? seconds : null;
}
