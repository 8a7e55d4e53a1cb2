/** RFC 9110 10.2.3: seconds, or a date. Null when it is neither, or in the past. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^[0-9]{1,10}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3}, /.test(text)) return null;
  const waitMs = Date.parse(text) - now;
  return waitMs > 0 ? waitMs : null;
}
