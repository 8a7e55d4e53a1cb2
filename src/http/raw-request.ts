/** A request as the kit sees it, whichever runtime it came from. */
export interface RawRequest {
  readonly method: string;
  /** The request target as it came: not decoded, no dot segment resolved. */
  readonly target: string;
  /** A header's value by its lower-case name; a repeated header is joined as HTTP joins it. */
  header(name: string): string | null;
  readonly remoteAddress: string | undefined;
  /** The body's chunks; to be read once. */
  body(): AsyncIterable<Uint8Array>;
}
