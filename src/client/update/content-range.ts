/** The Content-Range of a partial answer: RFC 9110 14.4. */

export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** Null when the server does not say how long the whole is. */
  readonly total: number | null;
}

export function parseContentRange(text: string | null): ContentRange | null {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)$/i.exec(text ?? "");
  if (match === null) return null;
  const [first, last] = [Number(match[1]), Number(match[2])];
  const total = match[3] === undefined ? null : Number(match[3]);
  return first <= last && (total === null || last < total) ? { first, last, total } : null;
}
