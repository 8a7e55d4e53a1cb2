/**
 * Stands between the values of an app and the wire, such as for end-to-end encryption. Fields merge
 * by name and revision, so the server needs no values; the profile `open` takes any. Both functions
 * may return a promise.
 */
export interface SyncCodec {
  /** Returns what is stored and sent: any JSON value. */
  encode(value: unknown, context: FieldContext): unknown;
  /** Returns what `encode` was given. A field whose decoding throws is left out of the entity. */
  decode(value: unknown, context: FieldContext): unknown;
}

export interface FieldContext {
  readonly entityId: string;
  readonly part: "payload" | "metadata";
  readonly field: string;
}
