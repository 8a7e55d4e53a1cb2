/** Web Locks and BroadcastChannel, as far as the client uses them. */
export interface TabApis {
  readonly locks?: TabLocks;
  /** Opens the channel with this name, whose messages go to `onMessage`; null where the page cannot have one. */
  readonly createChannel?: (
    name: string,
    onMessage: (message: unknown) => void,
  ) => TabChannel | null;
}

/** Locks between the tabs of an app, of which one holds a name at a time. */
export interface TabLocks {
  /** Runs the work while it holds the lock; rejects when the signal aborts before. */
  request(
    name: string,
    options: { readonly signal?: AbortSignal },
    work: () => Promise<void>,
  ): Promise<unknown>;
}

/** A channel between the tabs of an app, as `TabApis` opens it. */
export interface TabChannel {
  /** Sends the message to all other tabs. */
  post(message: unknown): void;
  /** Closes the channel: no more messages arrive. */
  close(): void;
}

export function findTabApis(): TabApis {
  const { navigator } = globalThis as { navigator?: { readonly locks?: TabLocks } };
  const locks = navigator?.locks;
  return {
    ...(locks !== undefined && {
      locks: { request: (name, options, work) => locks.request(name, options, work) },
    }),
    ...(typeof BroadcastChannel !== "undefined" && { createChannel }),
  };
}

function createChannel(name: string, onMessage: (message: unknown) => void): TabChannel | null {
  const channel = openChannel(name);
  if (channel === null) return null;
  channel.addEventListener("message", ({ data }) => onMessage(data));
  // In Node an open channel alone must not keep the process alive.
  channel.unref?.();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
}

/** Null on a page without an origin of its own. */
function openChannel(name: string): (BroadcastChannel & { unref?(): void }) | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
