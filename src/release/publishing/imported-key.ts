import type { KeyObject } from "node:crypto";

export interface ImportedKey {
  readonly privateKey: KeyObject;
  /** As catalog.json has it. */
  readonly publicKey: string;
}
