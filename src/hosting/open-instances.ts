/**
 * The instances that are open: each is opened when a request needs it, at most `maxOpen` at once, and closed
 * when it was idle for a while or another one needs its place. One that is in use stays open.
 */
import { OpenEntry, type Caller, type Openable } from "./open-entry.ts";

export interface OpenInstances<T> {
  /**
   * Opens the instance unless it is open. It stays open until `release`, which may be called again.
   * `admit` is called once for an opening, before it makes place for itself, and may throw.
   */
  acquire(
    name: string,
    caller?: Caller,
    admit?: () => void,
  ): Promise<{ readonly value: T; release(): void }>;
  /** Whether a request finds the instance open, or opening. */
  has(name: string): boolean;
  /** Ends the streams of an instance, waits for its requests and closes it. */
  close(name: string): Promise<void>;
  /** Closes all instances, and opens none any more. */
  closeAll(): Promise<void>;
  endStreams(): void;
  /**
   * Holds an instance until `release` if it is open: the named one, or the one that was used last.
   * Holding does not count as a use: the instance may grow idle.
   */
  hold(name?: string): { readonly value: T; release(): void } | null;
  counts(): { readonly open: number; readonly inUse: number };
}

export interface OpenInstancesSettings<T extends Openable> {
  readonly maxOpen: number;
  /** How long an instance may be idle before it is closed. */
  readonly idleMs: number;
  open(name: string, caller: Caller): Promise<T>;
  onCloseFailed(name: string, error: unknown): void;
  now(): number;
}

/** Every place is taken by an instance that is in use. */
export class AllInUseError extends Error {
  constructor() {
    super("Every open instance is in use");
    this.name = "AllInUseError";
  }
}

/** How long an instance that cannot be opened is not tried again: its requests fail alike. */
const FAILURE_MS = 1000;
/** A device without a request for this time, and without a stream, does not use its instance now. */
const UNUSED_MS = 60_000;

export function createOpenInstances<T extends Openable>(
  settings: OpenInstancesSettings<T>,
): OpenInstances<T> {
  const { maxOpen, idleMs, now } = settings;
  /** The open instances in the order of use, the latest last. */
  const entries = new Map<string, OpenEntry<T>>();
  const failures = new Map<string, { readonly error: unknown; readonly until: number }>();
  /** Requests of one kind for one instance look for one place, or each would close another for it. */
  const searches = new Map<string, Promise<void>>();
  let nextIdle = Promise.withResolvers<void>();
  let isClosed = false;
  const sweeping = setInterval(sweep, Math.max(100, idleMs / 4)).unref();

  function sweep(): void {
    for (const [name, { until }] of failures) if (until <= now()) failures.delete(name);
    for (const [name, entry] of entries) {
      const isIdle = entry.users === 0 && now() - entry.lastUsedAt >= idleMs;
      if (isIdle && entry.closing === null) void closeEntry(name, entry);
    }
  }

  function start(name: string, caller: Caller): OpenEntry<T> {
    const entry = new OpenEntry(settings.open(name, caller), caller, now(), tellIdle);
    entries.set(name, entry);
    entry.opening.catch((error: unknown) => {
      failures.set(name, { error, until: now() + FAILURE_MS });
      if (entries.get(name) === entry) entries.delete(name);
    });
    return entry;
  }

  function tellIdle(): void {
    nextIdle.resolve();
    nextIdle = Promise.withResolvers();
  }

  /** Resolves when a place has become free; the caller must look again. */
  function findPlace(name: string, caller: Caller): Promise<void> {
    const key = searchKey(name, caller);
    const search = searches.get(key) ?? searchPlace(caller).finally(() => searches.delete(key));
    searches.set(key, search);
    return search;
  }

  async function searchPlace(caller: Caller): Promise<void> {
    const all = [...entries];
    const idle = all.filter(([, entry]) => entry.users === 0 && entry.closing === null);
    const found =
      idle.find(([, entry]) => entry.caller === "stranger") ??
      idle.find(([, entry]) => caller === "device" || now() - entry.lastUsedAt >= UNUSED_MS);
    if (found !== undefined) return closeEntry(...found);
    const closings = all.flatMap(([, { closing }]) => (closing === null ? [] : [closing]));
    if (closings.length === 0) throw new AllInUseError();
    // A closing instance that still has requests may take minutes: the first that ends or is idle will do.
    await Promise.race([...closings, nextIdle.promise]);
  }

  function closeEntry(name: string, entry: OpenEntry<T>): Promise<void> {
    entry.closing ??= entry
      .drain()
      .catch((error: unknown) => settings.onCloseFailed(name, error))
      .finally(() => {
        if (entries.get(name) === entry) entries.delete(name);
      });
    return entry.closing;
  }

  function use(name: string, entry: OpenEntry<T>, caller: Caller): () => void {
    // Strangers do not keep the instance of a device open.
    if (caller === "stranger" && entry.caller === "device") return entry.keep();
    entry.caller = caller;
    entries.delete(name);
    entries.set(name, entry);
    return entry.keep(() => {
      entry.lastUsedAt = now();
    });
  }

  return {
    async acquire(name, caller = "device", admit = () => {}) {
      let isAdmitted = false;
      for (;;) {
        if (isClosed) throw new Error("The host is closed: it opens no instance any more");
        const failure = failures.get(name);
        if (failure !== undefined && failure.until > now()) throw failure.error;
        const found = entries.get(name);
        if (found !== undefined && found.closing !== null) {
          await found.closing;
          continue;
        }
        if (found === undefined && !isAdmitted) {
          // Those that look for a place for it already have been admitted.
          if (!searches.has(searchKey(name, caller))) admit();
          isAdmitted = true;
        }
        if (found === undefined && entries.size >= maxOpen) {
          await findPlace(name, caller);
          continue;
        }
        const entry = found ?? start(name, caller);
        const release = use(name, entry, caller);
        try {
          return { value: await entry.opening, release };
        } catch (error) {
          release();
          throw error;
        }
      }
    },
    has: (name) => entries.get(name)?.closing === null,
    async close(name) {
      failures.delete(name);
      const entry = entries.get(name);
      if (entry !== undefined) await closeEntry(name, entry);
    },
    async closeAll() {
      isClosed = true;
      clearInterval(sweeping);
      await Promise.all([...entries].map(([name, entry]) => closeEntry(name, entry)));
    },
    endStreams() {
      for (const { opened } of entries.values()) opened?.endStreams();
    },
    hold(name) {
      const entry = name === undefined ? [...entries.values()].findLast(isOpen) : entries.get(name);
      if (entry === undefined || entry.opened === null || !isOpen(entry)) return null;
      return { value: entry.opened, release: entry.keep() };
    },
    counts() {
      const all = [...entries.values()];
      return { open: all.length, inUse: all.filter(({ users }) => users > 0).length };
    },
  };
}

function searchKey(name: string, caller: Caller): string {
  return `${caller} ${name}`;
}

function isOpen({ opened, closing }: OpenEntry<Openable>): boolean {
  return opened !== null && closing === null;
}
