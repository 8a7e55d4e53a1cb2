/**
 * GET /v1/changes: streams that tell devices that the head of the log has moved, or that the account has a new key. All streams of a process
 * share one watch of the store and one timer, which run while there are streams.
 */
import {
  CHANGES_COMMENT_SECONDS,
  MAX_STREAMS_PER_DEVICE,
  MAX_STREAMS_PER_INSTANCE,
} from "../../contract/sync/values.ts";
import { createEventStream, encodeEvent, type EventStream } from "../../http/event-stream.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { encodeCursor, type MarkedCursor } from "../log/cursor.ts";
import { gather } from "./gather.ts";
import { pace } from "./pace.ts";
import type {
  DeviceSession,
  StoredReceipt,
  StoreWatch,
  StreamRecord,
  SyncStore,
} from "../store.ts";

export interface LiveChangesSettings {
  readonly store: SyncStore;
  readonly randomBytes: RandomBytes;
  now(): number;
  /** Runs a task, and reports its failure instead of rejecting. */
  attempt(task: () => Promise<void>): Promise<void>;
  /** Called whenever a stream is opened or ends, with how many are open. */
  onCount?(open: number): void;
}

export type OpenStreamResult =
  | { readonly kind: "opened"; readonly body: ReadableStream<Uint8Array> }
  /** The device or the instance has as many streams as it may have. */
  | { readonly kind: "limited"; readonly retryAfterSeconds: number }
  /** The session has ended meanwhile. */
  | { readonly kind: "signed-out" }
  /** The service stops. */
  | { readonly kind: "closed" };

export type LiveChanges = ReturnType<typeof createLiveChanges>;

interface LiveStream extends StreamRecord {
  readonly family: string;
  readonly events: EventStream;
  /** The events that were sent last, by name. */
  readonly sent: Map<EventName, Uint8Array>;
}

type EventName = "head" | "keys";

const LIMITS = { perDevice: MAX_STREAMS_PER_DEVICE, perInstance: MAX_STREAMS_PER_INSTANCE };
const STREAM_ID_BYTES = 16;
/** Finds sessions that expire, and what a watch may have missed. */
const TICK_MS = 1000;
const RENEW_TICKS = 10;
/** A process that dies without closing its streams takes their places for this time. */
const LEASE_SECONDS = 30;
/** Devices that come back at once, after a restart, must not wait for a commit each. */
const GATHER_MS = 10;
/**
 * Under a load of pushes, checks and sent heads are this far apart. A change of another process is
 * noticed in 250 ms all the same.
 */
const CHECK_GAP_MS = 25;
const SEND_GAP_MS = 50;

export function createLiveChanges(settings: LiveChangesSettings) {
  const { store, now, attempt } = settings;
  const streams = new Map<string, LiveStream>();
  let head: (MarkedCursor & { readonly event: Uint8Array }) | null = null;
  let key: { readonly keyId: string; readonly event: Uint8Array } | null = null;
  const tasks = new Set<Promise<void>>();
  let watch: StoreWatch | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let isClosed = false;
  const addRecord = gather((added: readonly StreamRecord[]) => {
    const opening = { expiresAt: now() + LEASE_SECONDS * 1000, now: now(), limits: LIMITS };
    return store.transaction(async (records) => {
      const results: boolean[] = [];
      for (const record of added) results.push(await records.streams.open(record, opening));
      return results;
    });
  }, GATHER_MS);
  const removeRecord = gather(async (ids: readonly string[]) => {
    await store.transaction((records) => records.streams.close(ids));
    return ids.map(() => undefined);
  }, GATHER_MS);
  const checks = shareRuns(check);
  const checkSoon = pace(() => background(() => attempt(checks)), CHECK_GAP_MS);
  const sendSoon = pace(sendAll, SEND_GAP_MS);

  function background(run: () => Promise<void>): void {
    const task = run().finally(() => tasks.delete(task));
    tasks.add(task);
  }

  function start(): void {
    if (watch !== null) return;
    watch = store.watch(checkSoon.run);
    ticks = 0;
    timer = setInterval(tick, TICK_MS).unref();
  }

  function stop(): void {
    clearInterval(timer);
    checkSoon.stop();
    sendSoon.stop();
    const ended = watch;
    if (ended !== null) background(() => ended.close());
    watch = null;
    head = null;
    key = null;
  }

  function tick(): void {
    ticks++;
    checkSoon.run();
    if (ticks % RENEW_TICKS === 0) background(() => attempt(renew));
    if (ticks % CHANGES_COMMENT_SECONDS === 0) {
      for (const { events } of streams.values()) events.beat();
    }
  }

  /** Reads the head and the account's key, and ends the streams whose sessions have ended. */
  async function check(): Promise<void> {
    // A stream that is opened meanwhile may have a session that the list does not have yet.
    const judged = [...streams.values()];
    const before = head;
    const [families, { generation, headOffset, mark, keyId }] = await Promise.all([
      store.listFamilies(now()).then((list) => new Set(list)),
      store.operations.head(),
    ]);
    for (const stream of judged) if (!families.has(stream.family)) end(stream);
    // A push that moved the head meanwhile has told of a later one.
    if (head === before) moveHead({ generation, offset: headOffset, mark });
    changeKey(keyId);
  }

  function changeKey(keyId: string | null): void {
    if (streams.size === 0 || keyId === (key?.keyId ?? null)) return;
    key = keyId === null ? null : { keyId, event: encodeEvent("keys", JSON.stringify({ keyId })) };
    sendSoon.run();
  }

  function moveHead(found: MarkedCursor): void {
    if (streams.size === 0) return;
    const { generation, offset, mark } = found;
    const isSame = head?.generation === generation && head.offset === offset && head.mark === mark;
    if (isSame) return;
    const data = JSON.stringify({ cursor: encodeCursor(found) });
    head = { ...found, event: encodeEvent("head", data) };
    sendSoon.run();
  }

  function sendAll(): void {
    for (const stream of streams.values()) sendNews(stream);
  }

  function sendNews(stream: LiveStream): void {
    if (key !== null) sendTo(stream, "keys", key.event);
    if (head !== null) sendTo(stream, "head", head.event);
  }

  function renew(): Promise<void> {
    const open = Array.from(streams.values(), ({ streamId, deviceId }) => ({ streamId, deviceId }));
    const expiresAt = now() + LEASE_SECONDS * 1000;
    return store.transaction((records) => records.streams.renew(open, expiresAt));
  }

  function end(stream: LiveStream): void {
    forget(stream);
    stream.events.end();
  }

  function forget({ streamId }: LiveStream): void {
    if (!streams.delete(streamId)) return;
    settings.onCount?.(streams.size);
    if (streams.size === 0) stop();
    // When the record cannot be removed, it expires.
    background(() => attempt(() => removeRecord(streamId)));
  }

  /** Ends all streams, and opens none any more. */
  function endAll(): void {
    isClosed = true;
    for (const stream of streams.values()) end(stream);
  }

  return {
    /** Rejects when the store cannot be used. */
    async open({ family, deviceId }: DeviceSession): Promise<OpenStreamResult> {
      if (isClosed) return { kind: "closed" };
      const streamId = encodeBase64Url(settings.randomBytes(STREAM_ID_BYTES));
      const isAdded = await addRecord({ streamId, deviceId });
      if (!isAdded) return { kind: "limited", retryAfterSeconds: LEASE_SECONDS };
      const events = createEventStream(() => forget(stream));
      const stream: LiveStream = { streamId, deviceId, family, events, sent: new Map() };
      streams.set(streamId, stream);
      settings.onCount?.(streams.size);
      if (isClosed) end(stream);
      else start();
      try {
        await checks();
      } catch (error) {
        end(stream);
        throw error;
      }
      if (!streams.has(streamId)) return { kind: isClosed ? "closed" : "signed-out" };
      sendNews(stream);
      return { kind: "opened", body: events.body };
    },
    /** Tells of a push of this process without waiting for the store to tell. */
    noteAppend(generation: string, receipts: readonly StoredReceipt[]): void {
      if (streams.size === 0) return;
      const last = receipts.findLast(({ duplicate }) => !duplicate);
      if (last === undefined) return;
      // A later push of another process may have been read before this one is acknowledged.
      if (head?.generation === generation && last.offset < head.offset) return;
      moveHead({ generation, offset: last.offset, mark: last.mark });
    },
    endAll,
    /** Resolves when the store does not count the streams of this process any more. */
    async close(): Promise<void> {
      endAll();
      while (tasks.size > 0) await Promise.all(tasks);
    },
  };
}

function sendTo({ sent, events }: LiveStream, name: EventName, event: Uint8Array): void {
  if (sent.get(name) === event) return;
  sent.set(name, event);
  events.send(name, event);
}

/**
 * Allows one run at a time. A call while one runs gets the next run, which begins after the call,
 * so that every caller gets what was true when it called.
 */
function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  function begin(): Promise<void> {
    next = null;
    running = run().finally(() => {
      running = null;
    });
    return running;
  }
  return () => {
    if (running === null) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
