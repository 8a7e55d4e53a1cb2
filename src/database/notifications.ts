/** When notifications are sent: one for each of many commits would slow them down. */
import { setTimeout as wait } from "node:timers/promises";

export interface Notifier {
  notify(channel: string): void;
  /** Resolves when all that is due has been sent, and does not wait for a server that is away. */
  close(): Promise<void>;
}

/** The time between two notifications of a channel. */
const GAP_MS = 25;
const CLOSE_MS = 1000;

/**
 * Sends the first notification at once; those that are due within a short time after it share the
 * next. A notification that cannot be sent is dropped: with the server away, a watch has lost its
 * connection too.
 */
export function createNotifier(send: (channel: string) => Promise<void>): Notifier {
  const dueByChannel = new Map<string, boolean>();
  const tasks = new Set<Promise<void>>();
  const closing = new AbortController();

  async function sendWhileDue(channel: string): Promise<void> {
    while (dueByChannel.get(channel)) {
      dueByChannel.set(channel, false);
      await send(channel).catch(() => {});
      await wait(GAP_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
    dueByChannel.delete(channel);
  }

  return {
    notify(channel) {
      const isSending = dueByChannel.has(channel);
      dueByChannel.set(channel, true);
      if (isSending) return;
      const task = sendWhileDue(channel).finally(() => tasks.delete(task));
      tasks.add(task);
    },
    async close() {
      closing.abort();
      if (tasks.size === 0) return;
      await Promise.race([Promise.all(tasks), wait(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
