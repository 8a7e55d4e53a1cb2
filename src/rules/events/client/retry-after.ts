/** RFC 9110 10.2.3: seconds, or a date. */
const MAX_SECONDS = 86_400;

/** How many seconds to wait, at most a day; null when the service does not say. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  const seconds = /^\d{1,15}$/.test(text ?? "")
    ? Number(text)
    : Math.ceil((Date.parse(text ?? "") - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
