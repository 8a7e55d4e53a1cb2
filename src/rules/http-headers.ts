/** Header fields of responses. */

/** RFC 9110 8.8.3, in ASCII and bounded: a stored ETag must be safe in a request. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

export function isEtag(value: unknown): value is string {
  return typeof value === "string" && ENTITY_TAG.test(value);
}

/** RFC 9110 13.1.5: only a strong validator guarantees that two byte ranges belong together. */
export function isStrongEtag(value: unknown): value is string {
  return isEtag(value) && !value.startsWith("W/");
}

export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** Null when the server does not give the length of the whole. */
  readonly total: number | null;
}

/** RFC 9110 14.4. */
export function parseContentRange(text: string | null): ContentRange | null {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)$/i.exec(text ?? "");
  if (match === null) return null;
  const [first, last] = [Number(match[1]), Number(match[2])];
  const total = match[3] === undefined ? null : Number(match[3]);
  return first <= last && (total === null || last < total) ? { first, last, total } : null;
}

const MAX_RETRY_SECONDS = 86_400;

/** RFC 9110 10.2.3: seconds or a date, as seconds from `now` and at most a day. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  const seconds = /^\d{1,15}$/.test(text ?? "")
    ? Number(text)
    : Math.ceil((Date.parse(text ?? "") - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_SECONDS);
}
