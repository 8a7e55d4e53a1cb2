/** The part of PouchDB's interface that the benchmark uses. */
export interface PouchDatabase {
  put(document: object): Promise<unknown>;
  bulkDocs(documents: readonly object[]): Promise<unknown>;
  readonly replicate: {
    from(url: string, options: object): Promise<{ readonly docs_written: number }>;
  };
  sync(url: string, options: object): { cancel(): void };
  changes(options: object): {
    on(event: "change", listener: (change: { readonly id: string }) => void): { cancel(): void };
  };
}

export interface PouchConstructor {
  new (name: string): PouchDatabase;
  defaults(options: object): PouchConstructor;
}
