import { fail } from "../expect.ts";

/** A cursor is opaque to clients; the cases decode cursors to make some that no server issued. */
export interface Cursor {
  readonly generation: string;
  readonly offset: number;
  readonly mark: string;
}

/** A random mark, which no commit has. */
export const OTHER_MARK = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString(
  "base64url",
);

export function encodeCursor({ generation, offset, mark }: Cursor): string {
  return encodeText(JSON.stringify({ version: 1, generation, offset, mark }));
}

export function encodeText(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}

/** Trellis decision, sync service: one spelling for each place in the log. */
export function parseCursor(asked: string, text: string): Cursor {
  try {
    const { generation, offset, mark } = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    ) as Cursor;
    const isCanonical = encodeCursor({ generation, offset, mark }) === text;
    const isTyped = typeof generation === "string" && typeof mark === "string";
    if (isCanonical && isTyped && Number.isInteger(offset)) return { generation, offset, mark };
  } catch {
    // The text is no Base64URL of JSON, which fails below.
  }
  return fail(asked, "a cursor in its one spelling", text);
}
