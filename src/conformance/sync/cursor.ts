/** Cursors, which clients do not read. The kit does, to make some that no server gave it. */
import { violate } from "../expect.ts";

export interface Cursor {
  readonly generation: string;
  readonly offset: number;
}

export function encodeCursor({ generation, offset }: Cursor): string {
  return encodeText(JSON.stringify({ version: 1, generation, offset }));
}

export function encodeText(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}

/** Trellis decision, sync service: one spelling for each place in the log. */
export function readCursor(asked: string, text: string): Cursor {
  const expected = "a cursor in its one spelling";
  try {
    const { generation, offset } = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    ) as Cursor;
    const isSpelled = encodeCursor({ generation, offset }) === text;
    if (isSpelled && typeof generation === "string" && Number.isInteger(offset)) {
      return { generation, offset };
    }
  } catch {
    // What cannot be parsed is spelled wrongly too.
  }
  return violate(asked, expected, text);
}
