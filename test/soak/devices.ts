/** Honest devices of one sync instance. They keep what was acknowledged, to ask for it at the end. */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "../../src/contract/sync/operation.ts";
import { applyOperation, type EntityState } from "../../src/rules/sync/merge.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { snapshotEntityToText } from "../../src/rules/sync/visible-entity.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import type { SeededRandom } from "../fixtures/seeded-random.ts";
import type { Ask } from "../sync/sync-client.ts";
import { createSession, type Session } from "./session.ts";
import { stealDevice } from "./stolen-device.ts";
import type { Tally } from "./tally.ts";

export interface Devices {
  /** Works until it is told to end; what is pending then is pushed before it resolves. */
  work(isOver: () => boolean): Promise<void>;
  /** How many acknowledged operations there are, and what of them the instance does not have. */
  check(): Promise<{ readonly acknowledged: number; readonly lost: readonly string[] }>;
  /** Of a device that only reads, for clients that attack with a good token. */
  accessToken(): string;
}

export interface DevicesOptions {
  readonly name: string;
  readonly port: number;
  readonly random: SeededRandom;
  readonly tally: Tally;
  /** Revokes a device, as the operator does. */
  revoke(deviceId: string): Promise<void>;
}

const WRITERS = 3;
const ENTITIES = 300;
const REQUEST_MS = 40_000;
const RETRY_MS = 500;

export async function createDevices(options: DevicesOptions): Promise<Devices> {
  const { name, port, random, tally } = options;
  const ask: Ask = (path, init) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
  const expected = new Map<string, EntityState>();
  const pulled = new Map<string, EntityState>();
  const pulledIds = new Set<string>();
  let acknowledged = 0;
  /** The greatest sequence that was pulled: a Lamport clock. */
  let clock = 0;
  let cursor = "";
  const sessions: Session[] = [];
  for (let index = 0; index <= WRITERS; index++) {
    sessions.push(await createSession(ask, `${name}-device-${index}`, tally));
  }
  const [reader, ...writers] = sessions as [Session, ...Session[]];

  async function write(session: Session, isOver: () => boolean): Promise<void> {
    let sequence = 0;
    while (!isOver()) {
      sequence = Math.max(sequence, clock);
      const texts = Array.from({ length: 1 + random.below(10) }, () =>
        createText(session.deviceId, (sequence += 1 + random.below(3)), random),
      );
      await push(session, texts);
      await sleep(300 + random.below(1200));
    }
  }

  /** The same operations until they are acknowledged: a response may have been lost. */
  async function push(session: Session, texts: readonly string[]): Promise<void> {
    await untilDone(async () => {
      const response = await session.send("/v1/push", `{"operations":[${texts.join(",")}]}`);
      return response?.status === 200;
    });
    acknowledged += texts.length;
    fold(expected, texts);
  }

  async function read(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await untilDone(readToHead);
      await sleep(1000 + random.below(2000));
    }
  }

  async function readToHead(): Promise<boolean> {
    for (;;) {
      const response = await reader.send(`/v1/pull?limit=500${cursor}`);
      if (response?.status !== 200) return false;
      const page = (await response.json()) as {
        readonly operations: readonly Operation[];
        readonly cursor: string;
        readonly requiresSnapshot: boolean;
        readonly recoveryReason: string;
      };
      if (page.requiresSnapshot) tally.report(`${name} asked for recovery: ${page.recoveryReason}`);
      const texts = page.operations.map((operation) => JSON.stringify(operation));
      for (const { operationId } of page.operations) {
        if (pulledIds.has(operationId)) tally.report(`${name} has ${operationId} twice`);
        pulledIds.add(operationId);
      }
      clock = Math.max(clock, ...page.operations.map(({ revision }) => revision.sequence));
      fold(pulled, texts);
      cursor = `&cursor=${page.cursor}`;
      if (texts.length < 500) return true;
    }
  }

  return {
    accessToken: () => reader.accessToken(),
    async work(isOver) {
      let thefts = 0;
      const theft = {
        random,
        tally,
        push,
        revoke: options.revoke,
        clock: () => clock,
        signIn: () => createSession(ask, `${name}-stolen-${++thefts}`, tally),
      };
      await Promise.all([
        ...writers.map((session) => write(session, isOver)),
        read(isOver),
        stealDevice(theft, isOver),
      ]);
    },
    async check() {
      await untilDone(readToHead);
      const stored = new Map<string, unknown>();
      await untilDone(async () => {
        const response = await reader.send("/v1/snapshot");
        if (response?.status !== 200) return false;
        const { entities } = (await response.json()) as { entities: { entityId: string }[] };
        for (const entity of entities) stored.set(entity.entityId, entity);
        return true;
      });
      const lost = [...expected].flatMap(([id, state]) => {
        const wanted: unknown = JSON.parse(snapshotEntityToText(state));
        const other = pulled.get(id);
        const seen: unknown = other === undefined ? null : JSON.parse(snapshotEntityToText(other));
        return isDeepStrictEqual(stored.get(id), wanted) && isDeepStrictEqual(seen, wanted)
          ? []
          : [`${name}: ${id}`];
      });
      return { acknowledged, lost };
    },
  };
}

async function untilDone(attempt: () => Promise<boolean>): Promise<void> {
  while (!(await attempt().catch(() => false))) await sleep(RETRY_MS);
}

function fold(states: Map<string, EntityState>, texts: readonly string[]): void {
  for (const text of texts) {
    const operation = parseOperation(text);
    const before = states.get(operation.entityId) ?? null;
    states.set(operation.entityId, applyOperation(before, operation).state);
  }
}

function createText(deviceId: string, sequence: number, { below, pick }: SeededRandom): string {
  const kind = pick(["create", "create", "create", "patch", "delete", "restore"] as const);
  return JSON.stringify(
    createOperation({
      kind,
      deviceId,
      sequence,
      entityId: `setting/s${below(ENTITIES)}`,
      payload: { value: `${deviceId} ${sequence} ${"x".repeat(below(200))}` },
      metadata: kind === "patch" ? {} : { note: below(100) },
    }),
  );
}
