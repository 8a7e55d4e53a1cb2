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

/** The members of a cursor that is JSON, as those of Trellis are; null for any other. */
export function readCursorMembers(cursor: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Trellis decision, sync service: one spelling for each place in the log. */
export function parseCursor(asked: string, text: string): Cursor {
  const { generation, offset, mark } = readCursorMembers(text) ?? {};
  if (typeof generation === "string" && typeof offset === "number" && typeof mark === "string") {
    const cursor = { generation, offset, mark };
    if (Number.isInteger(offset) && encodeCursor(cursor) === text) return cursor;
  }
  return fail(asked, "a cursor in its one spelling", text);
}
