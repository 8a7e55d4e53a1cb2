/** How values cross the connection: the same JavaScript values as from SQLite; JSON stays text. */
export const POSTGRES_TYPES = {
  integer: { to: 20, from: [20, 1700], serialize: String, parse: toSafeNumber },
  truth: {
    to: 16,
    from: [16],
    serialize: (value: unknown) => (value === 0 || value === false ? "f" : "t"),
    parse: (text: string) => (text === "t" ? 1 : 0),
  },
  json: { to: 114, from: [114, 3802], serialize: keepText, parse: keepText },
  bytea: {
    to: 17,
    from: [17],
    serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString("hex")}`,
    parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), "hex")),
  },
};

function keepText(text: string): string {
  return text;
}

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError("An integer of the store is too large for a JavaScript number");
  }
  return value;
}
