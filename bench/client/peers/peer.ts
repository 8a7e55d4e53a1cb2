/** What the processes of a library are asked to do. */
import { timeEdits } from "../time-edits.ts";

export type PeerOrder =
  /** The server begins with this many documents. */
  | { readonly kind: "serve"; readonly folder: string; readonly documents: number }
  | {
      readonly kind: "first-sync";
      readonly folder: string;
      readonly port: number;
      readonly documents: number;
    }
  | {
      readonly kind: "live";
      readonly folder: string;
      readonly port: number;
      readonly count: number;
    };

export interface PeerResult {
  readonly port?: number;
  readonly seconds?: number;
  /** The times are in milliseconds. */
  readonly times?: readonly number[];
}

const WARMUP_EDITS = 25;

/** `edit` resolves when the other device shows the edit. */
export async function timeWarmEdits(
  count: number,
  edit: (number: number) => Promise<void>,
): Promise<number[]> {
  return (await timeEdits(WARMUP_EDITS + count, edit)).slice(WARMUP_EDITS);
}
