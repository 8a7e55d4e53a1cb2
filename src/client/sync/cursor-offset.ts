const PLACE = /^\{"version":1,"generation":"[^"]*","offset":(0|[1-9][0-9]{0,15})[,}]/;

/** The offset that a cursor of Trellis names, the only thing that a client reads from one; null for any other text. */
export function readCursorOffset(cursor: string): number | null {
  const [, digits = ""] = PLACE.exec(decode(cursor)) ?? [];
  const offset = Number(digits);
  return digits !== "" && Number.isSafeInteger(offset) ? offset : null;
}

function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
