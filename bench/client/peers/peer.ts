/** What the processes of a library are asked to do. */
import { createRequire } from "node:module";
import { join } from "node:path";
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

/** A package of the temporary folder, whose types are not installed here. */
export function requireFrom<T>(folder: string, name: string): T {
  return createRequire(join(folder, "package.json"))(name) as T;
}

/** A document of the size of an entry of the habits app. */
export function createDocument(number: number) {
  return {
    habitId: `habit-${Math.floor(number / 365)}`,
    date: new Date(Date.UTC(2020, 0, 1) + (number % 365) * 86_400_000).toISOString().slice(0, 10),
    completed: true,
    count: number % 9,
    timestamp: "2026-01-31T07:30:00.000Z",
  };
}

const WARMUP_EDITS = 25;

/** `edit` resolves when the other device shows the edit. */
export async function timeWarmEdits(
  count: number,
  edit: (number: number) => Promise<void>,
): Promise<number[]> {
  return (await timeEdits(WARMUP_EDITS + count, edit)).slice(WARMUP_EDITS);
}
