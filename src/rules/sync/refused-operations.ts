/** The header `Trellis-Refused`, written by the service and read by clients. */
import { MAX_REFUSED, type RefusedCode } from "../../contract/sync/refused-operations.ts";

export interface RefusedOperation<Code extends string = string> {
  /** The index of the operation in its push; the first is 0. */
  readonly index: number;
  readonly code: Code;
}

/** Formats the header, such as `3=payload_field_type, 7=id_reused`. */
export function refusedToHeader(operations: readonly RefusedOperation<RefusedCode>[]): string {
  return operations
    .slice(0, MAX_REFUSED)
    .map(({ index, code }) => `${index}=${code}`)
    .join(", ");
}

const REFUSED = /^(0|[1-9]\d{0,5})=([a-z][a-z0-9_]{0,63})$/;

/** Null without the header, or when it is malformed. A later version may send codes not known here. */
export function parseRefused(header: string | null): RefusedOperation[] | null {
  if (header === null) return null;
  const refused: RefusedOperation[] = [];
  for (const item of header.split(",")) {
    const [, index = "", code = ""] = REFUSED.exec(item.trim()) ?? [];
    if (code === "") return null;
    refused.push({ index: Number(index), code });
  }
  return refused;
}
