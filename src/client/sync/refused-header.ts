/** The header `Trellis-Refused: 3=payload_field_type, 7=id_reused`: which operations, and why. */
export interface NamedOperation {
  /** Of the operation in its batch; the first is 0. */
  readonly index: number;
  readonly reason: string;
}

const ENTRY = /^\s*(\d{1,3})\s*=\s*([a-z][a-z0-9_]{0,63})\s*$/;

/** Entries that are not understood are left out. */
export function parseRefused(header: string): readonly NamedOperation[] {
  const entries = header.split(",").flatMap((entry) => {
    const [, index = "", reason = ""] = ENTRY.exec(entry) ?? [];
    return reason === "" ? [] : [{ index: Number(index), reason }];
  });
  return entries;
}
