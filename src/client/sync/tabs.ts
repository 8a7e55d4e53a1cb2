/**
 * The tabs of an app share one engine: one tab leads and syncs, and each tells the others what it wrote.
 * Without locks or channels each tab works alone, kept apart by the storage's transactions. See decision 10.
 */
import { isObject } from "../../contract/is-object.ts";
import { createSerialize, type Serialize } from "../serialize.ts";
import type { SyncClientError } from "./results.ts";
import type { TabApis } from "./tab-apis.ts";

/** What the engine does, as far as an app shows it. */
export type Activity =
  | { readonly kind: "idle" }
  | { readonly kind: "syncing" }
  | { readonly kind: "failed"; readonly error: SyncClientError };

export type TabMessage =
  /** A tab wrote the records of these entities, and perhaps others. */
  | { readonly kind: "written"; readonly recordIds: readonly string[]; readonly write: number }
  | { readonly kind: "erased" }
  /** A tab has stored other keys of the account. */
  | { readonly kind: "keys" }
  | { readonly kind: "activity"; readonly activity: Activity }
  /** A new tab asks for the activity. */
  | { readonly kind: "hello" };

export type Tabs = ReturnType<typeof openTabs>;

/** `storageName` is undefined for a storage that no other tab can open. */
export function openTabs(
  { locks, createChannel }: TabApis,
  storageName: string | undefined,
  closing: AbortSignal,
  onMessage: (message: TabMessage) => void,
) {
  const prefix = `trellis-sync/${storageName}`;
  let resign = () => {};
  const shared = storageName !== undefined;
  const receive = (message: unknown) => {
    // A tab with another version of the app may send other kinds, which the client ignores.
    if (isObject(message)) onMessage(message as unknown as TabMessage);
  };
  let channel = (shared ? createChannel?.(prefix, receive) : null) ?? null;
  const queues = new Map<string, Serialize>();

  /** Keeps work of one name apart within this tab, where there are no locks. */
  function runAlone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const serialize = queues.get(name) ?? createSerialize();
    queues.set(name, serialize);
    return serialize(work);
  }

  return {
    /** Calls back when this tab leads, which it then does until `close`. */
    lead(onLead: () => void): void {
      if (!shared || locks === undefined) return onLead();
      const work = () => {
        onLead();
        return new Promise<void>((resolve) => (resign = resolve));
      };
      locks.request(`${prefix}/leader`, { signal: closing }, work).catch(() => {
        // A page without an origin of its own has locks that it may not use.
        if (!closing.aborted) onLead();
      });
    },
    /** Runs the work while no other tab runs work of that name; rejects when the client is closed first. */
    exclusive<T>(name: "round" | "refresh", work: () => Promise<T>): Promise<T> {
      if (!shared || locks === undefined) return runAlone(name, work);
      return new Promise((resolve, reject) => {
        const run = () => work().then(resolve, reject);
        locks.request(`${prefix}/${name}`, { signal: closing }, run).catch((error: unknown) => {
          if (closing.aborted) reject(error);
          else runAlone(name, work).then(resolve, reject);
        });
      });
    },
    post: (message: TabMessage): void => channel?.post(message),
    close(): void {
      resign();
      channel?.close();
      channel = null;
    },
  };
}
