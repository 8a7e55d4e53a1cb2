/**
 * Tells the watches of an instance of commits. Those of this process are told at once. Other processes listen,
 * each on one connection for all of its instances; where there is none to listen on, and while it is lost, one
 * statement asks how many commits the watched instances had.
 *
 * Notifications are sent after a commit and not by its transaction: one that notifies holds a lock of the whole
 * server until it is on the disk, so instances that share a server would wait for each other's disk.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Pool, Turn } from "./connection-pool.ts";
import { ALL_INSTANCES } from "./coordination-tables.ts";
import type { CommitWatch } from "./database.ts";
import { createNotifier } from "./notifications.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { localSettings } from "./postgres-session.ts";

export interface PostgresNotices {
  watch(instance: number, channel: string, onCommit: () => void): CommitWatch;
  /** Tells all watches of a commit of this process; does not wait, and never fails. */
  tell(instance: number, channels: Iterable<string>): void;
  close(): Promise<void>;
}

export interface NoticeSettings {
  /** Opens a connection that can listen, which calls its argument for each notification; null where none can. */
  readonly openListening:
    | ((onNotify: (payload: string) => void) => Promise<PostgresConnection>)
    | null;
  /** Whether others may listen. */
  readonly notifies: boolean;
  /** Called with the connection that has asked. */
  onPoll(connection: PostgresConnection): Promise<void>;
}

interface Watch {
  readonly instance: number;
  readonly channel: string;
  readonly onCommit: () => void;
}

const UPKEEP: Turn = { line: ALL_INSTANCES, lane: "upkeep" };
/** Hosts in different schemas of a database have channels of their own. */
const CHANNEL = "concat('trellis_', hashtextextended(current_schema(), 0))";
const POLL_MS = 250;
/** The time between two checks whether the connection was lost, and before a lost one is replaced. */
const HEAL_MS = 100;
/** A network that goes silent does not close its connections: a query finds out. */
const PING_TURNS = 50;

export function createPostgresNotices(
  pool: Pool<PostgresConnection>,
  { openListening, notifies, onPoll }: NoticeSettings,
): PostgresNotices {
  const process = randomUUID();
  const watches = new Set<Watch>();
  let listener: PostgresConnection | null = null;
  let running: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;
  const notifier = createNotifier(async (payload) => {
    const text = `select pg_notify(${CHANNEL}, '${payload}')`;
    if (listener === null) await pool.use(UPKEEP, ({ runAll }) => runAll(text));
    else await listener.runAll(text);
  });

  function tellWatches(isMeant: (watch: Watch) => boolean): void {
    for (const watch of watches) if (isMeant(watch)) watch.onCommit();
  }

  function tellLocally(instance: number, channel: string): void {
    tellWatches((watch) => watch.instance === instance && watch.channel === channel);
  }

  function onNotify(payload: string): void {
    const { sender, instance, channel = "" } = PAYLOAD.exec(payload)?.groups ?? {};
    if (sender !== process) tellLocally(Number(instance), channel);
  }

  async function listen(signal: AbortSignal): Promise<void> {
    const connection = await openListening?.(onNotify);
    if (connection === undefined) return;
    try {
      const [row] = await connection.query<{ name: string }>(`select ${CHANNEL} as name`);
      await connection.command(`listen "${row?.name}"`);
      signal.throwIfAborted();
      listener = connection;
      // A commit may have been missed until now.
      tellWatches(() => true);
      for (let turn = 1; !connection.isLost(); turn++) {
        await wait(HEAL_MS, undefined, { signal, ref: false });
        if (turn % PING_TURNS === 0) await connection.query("select 1");
      }
    } finally {
      listener = null;
      await connection.close();
    }
  }

  async function listenUntilStopped(signal: AbortSignal): Promise<void> {
    if (openListening === null) return;
    while (!signal.aborted) {
      // The next turn opens a new connection, whatever ended this one.
      await listen(signal).catch(() => {});
      await wait(HEAL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const poll = () =>
    pool.use(UPKEEP, async (connection) => {
      const counts = await readNotices(connection, watches);
      await onPoll(connection);
      return counts;
    });

  async function pollUntilStopped(signal: AbortSignal): Promise<void> {
    let known: ReadonlyMap<number, number> | null = null;
    while (!signal.aborted) {
      const found = listener !== null ? null : await poll().catch(() => null);
      tellWatches(({ instance }) => {
        const count = found?.get(instance);
        return count !== undefined && count !== known?.get(instance);
      });
      // What was watched by listening meanwhile is not known.
      known = found;
      await wait(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  function start(): void {
    const stop = new AbortController();
    const { signal } = stop;
    running = { stop, ended: Promise.all([listenUntilStopped(signal), pollUntilStopped(signal)]) };
  }

  async function stop(): Promise<void> {
    const stopped = running;
    running = null;
    stopped?.stop.abort();
    await stopped?.ended;
  }

  return {
    watch(instance, channel, onCommit) {
      const watch = { instance, channel, onCommit };
      watches.add(watch);
      if (running === null) start();
      // Nothing is known of what was committed before.
      else setImmediate(() => watches.has(watch) && onCommit());
      return {
        async close() {
          watches.delete(watch);
          if (watches.size === 0) await stop();
        },
      };
    },
    tell(instance, channels) {
      for (const channel of channels) {
        setImmediate(tellLocally, instance, channel);
        if (notifies) notifier.notify(`${process} ${instance} ${channel}`);
      }
    },
    async close() {
      await stop();
      await notifier.close();
    },
  };
}

const PAYLOAD = /^(?<sender>\S+) (?<instance>\d+) (?<channel>.+)$/;
const NOTICES = `select instance, notices from trellis_head
  where instance = any ($1::text::bigint[])`;
const NO_INSTANCE = localSettings({ "trellis.instance": "" });

async function readNotices(
  { readAlone }: PostgresConnection,
  watches: Iterable<Watch>,
): Promise<ReadonlyMap<number, number>> {
  const instances = new Set(Array.from(watches, ({ instance }) => instance));
  const rows = await readAlone<{ instance: number; notices: number }>(NO_INSTANCE, NOTICES, [
    `{${[...instances].join(",")}}`,
  ]);
  return new Map(rows.map(({ instance, notices }) => [instance, notices]));
}
