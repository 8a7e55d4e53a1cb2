/** What a lease is, whatever holds it. */
export type LeaseMode = "shared" | "exclusive";

export interface Lease {
  release(): Promise<void>;
}
