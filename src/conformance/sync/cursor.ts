import { fail } from "../expect.ts";

/** Opaque to clients; the cases decode cursors to make some that no server issued. */
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
export function parseCursor(asked: string, text: string): Cursor {
  try {
    const { generation, offset } = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    ) as Cursor;
    const isCanonical = encodeCursor({ generation, offset }) === text;
    if (isCanonical && typeof generation === "string" && Number.isInteger(offset)) {
      return { generation, offset };
    }
  } catch {
    // Fails below.
  }
  return fail(asked, "a cursor in its one spelling", text);
}
