/** What a bare store is asked to do, in the worker of its kind. */
export type BareOrder =
  | { readonly kind: "open"; readonly address: string; readonly accountId: string }
  | { readonly kind: "full"; readonly limit: number; readonly count: number }
  | {
      readonly kind: "changes";
      /** In turn. */
      readonly moments: readonly number[];
      readonly limit: number;
      readonly count: number;
    }
  /** A row in a durable transaction each. */
  | { readonly kind: "commit"; readonly count: number };
