/** The part of TinyBase's interface that the benchmark uses. */
export interface MergeableStore {
  setRow(table: string, row: string, cells: object): void;
  getRowCount(table: string): number;
  hasRow(table: string, row: string): boolean;
  addRowIdsListener(table: string, listener: () => void): unknown;
  transaction(work: () => void): void;
}

export interface Tinybase {
  createMergeableStore(): MergeableStore;
}

export interface Persister {
  save(): Promise<unknown>;
  startAutoPersisting(): Promise<unknown>;
}

export const ENTRIES = "entries";
