import { encodeText } from "../cursor.ts";
import type { Disturbance } from "./network.ts";

/** The members of a cursor that is JSON, as those of Trellis are; null for any other. */
export function readCursorMembers(cursor: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Sends another cursor than the client's; a cursor that is not JSON is replaced by an unknown one. */
export function changeCursor(changes: Readonly<Record<string, unknown>>): Disturbance {
  return ({ url }, send) => {
    const cursor = url.searchParams.get("cursor");
    if (cursor === null) return send();
    const members = readCursorMembers(cursor);
    const changed = new URL(url);
    changed.searchParams.set(
      "cursor",
      members === null ? "unknown" : encodeText(JSON.stringify({ ...members, ...changes })),
    );
    return send(changed);
  };
}
