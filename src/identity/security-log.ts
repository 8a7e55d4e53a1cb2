/** Counts security events in the transaction that finds them, and reports them once it is committed. */
import { networkPrefix } from "./client-network.ts";
import type { IdentityRecords } from "./identity-records.ts";
import type { SecurityEvent, SecurityEventKind } from "./security-event.ts";

/** Notes an event that a request from `address` caused. */
export type NoteSecurityEvent = (kind: SecurityEventKind, address: string) => Promise<void>;

export interface SecurityLog<Records> {
  /** A transaction of the store, whose work may note events. */
  transaction<T>(work: (records: Records, note: NoteSecurityEvent) => Promise<T>): Promise<T>;
}

export interface SecurityLogSettings<Records> {
  readonly store: { transaction<T>(work: (records: Records) => Promise<T>): Promise<T> };
  readonly onEvent: ((event: SecurityEvent) => void) | undefined;
  now(): number;
}

export function createSecurityLog<Records extends { readonly identity: IdentityRecords }>({
  store,
  onEvent,
  now,
}: SecurityLogSettings<Records>): SecurityLog<Records> {
  return {
    async transaction(work) {
      let events: SecurityEvent[] = [];
      const result = await store.transaction((records) => {
        // The store may run the work again.
        events = [];
        return work(records, async (kind, address) => {
          await records.identity.countSecurityEvent(kind, now());
          events.push({ kind, network: networkPrefix(address) });
        });
      });
      for (const event of events) report(event);
      return result;
    },
  };

  function report(event: SecurityEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // A listener that fails must not change the response.
    }
  }
}
