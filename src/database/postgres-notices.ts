/**
 * Notifies the watches of an instance of commits: those of this process at once. Other processes listen,
 * each on one connection for all of its instances; where there is none to listen on, and while it is lost, one
 * statement asks how many commits the watched instances had, and which server responds: a pooled connection does
 * not end with its server.
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
import { HISTORY, toHistory, type HistoryRow, type HistoryWatch } from "./postgres-history.ts";

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
  /** Learns where the connections lead. */
  readonly history: Pick<HistoryWatch, "note" | "isTold">;
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
  { openListening, notifies, history }: NoticeSettings,
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

  /** Not every server tells where a connection leads; one that told once does. */
  async function poll() {
    const rows = await pool.use(UPKEEP, ({ query }) =>
      query<NoticeRow>(history.isTold() ? NOTICES_AND_HISTORY : NOTICES, [listInstances(watches)]),
    );
    const server = toHistory(rows[0]);
    if (server !== null) history.note(server);
    return new Map(rows.map(({ instance, notices }) => [instance, notices] as const));
  }

  async function pollUntilStopped(signal: AbortSignal): Promise<void> {
    let known: Awaited<ReturnType<typeof poll>> | null = null;
    let asked: PostgresConnection | null = null;
    while (!signal.aborted) {
      const current = listener;
      // A new connection may lead elsewhere than the one before, so it is asked for once too.
      const isListened = current !== null && current === asked;
      const found = isListened ? null : await poll().catch(() => null);
      if (found !== null) asked = current;
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

interface NoticeRow extends Partial<HistoryRow> {
  /** Nulls when no watched instance was written yet. */
  readonly instance: number | null;
  readonly notices: number | null;
}

const IS_WATCHED = "instance = any ($1::text::bigint[])";
const NOTICES = `select instance, notices from trellis_head where ${IS_WATCHED}`;
/** The heads of all watched instances, each with the history of the server, which comes also without a head. */
const NOTICES_AND_HISTORY = `select instance, notices, server.*
  from (${HISTORY}) as server left join trellis_head on ${IS_WATCHED}`;

function listInstances(watches: Iterable<Watch>): string {
  return `{${[...new Set(Array.from(watches, ({ instance }) => instance))].join(",")}}`;
}
