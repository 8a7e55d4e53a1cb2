/**
 * A device of the account that is stolen again and again: it moves the clock as far as the server lets it,
 * rewrites and deletes everything, and floods the log, until it is revoked. What was acknowledged to it counts
 * like any other operation.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_CLOCK_STEP, type OperationKind } from "../../src/contract/sync/operation-limits.ts";
import type { SnapshotEntity } from "../../src/contract/sync/operation.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import type { SeededRandom } from "../fixtures/seeded-random.ts";
import type { Session } from "./session.ts";
import { describeFailure, type Tally } from "./tally.ts";

export interface TheftOptions {
  readonly random: SeededRandom;
  readonly tally: Tally;
  signIn(): Promise<Session>;
  /** Pushes until the operations are acknowledged. */
  push(session: Session, texts: readonly string[]): Promise<void>;
  /** The greatest sequence that a device of the account has seen. */
  clock(): number;
  /** What the operator does. */
  revoke(deviceId: string): Promise<void>;
}

const PAUSE_MS = 15_000;
const BATCH = 100;
const FLOODS = 5;

export async function stealDevice(options: TheftOptions, isOver: () => boolean): Promise<void> {
  const { random, tally, revoke } = options;
  while (!isOver()) {
    await sleep(random.below(PAUSE_MS));
    try {
      const session = await options.signIn();
      await damage(options, session, isOver);
      await revoke(session.deviceId);
      tally.count("stolen device", (await isRevoked(session)) ? "revoked" : "not asked");
    } catch (error) {
      // The server is down, or a fault of the run made it refuse the sign-in.
      tally.count("stolen device", describeFailure(error));
    }
  }

  async function isRevoked(session: Session): Promise<boolean> {
    const status = await session.probe();
    if (status === 200) tally.report(`${session.deviceId} was revoked and still gets 200`);
    return status === 401;
  }
}

async function damage(
  { random, push, clock }: TheftOptions,
  session: Session,
  isOver: () => boolean,
): Promise<void> {
  const { deviceId } = session;
  let sequence = clock();
  const make = (kind: OperationKind, entityId: string, value: unknown) =>
    JSON.stringify(
      createOperation({
        kind,
        deviceId,
        sequence: (sequence += MAX_CLOCK_STEP),
        entityId,
        payload: { value },
      }),
    );
  const response = await session.send("/v1/snapshot");
  if (response?.status !== 200) return;
  const { entities } = (await response.json()) as { entities: SnapshotEntity[] };
  const texts = entities.map(({ entityId }) =>
    random.below(2) === 0 ? make("delete", entityId, null) : make("patch", entityId, "stolen"),
  );
  for (let flood = 0; flood < FLOODS * BATCH; flood++) {
    texts.push(
      make("create", `setting/flood${random.below(BATCH)}`, "x".repeat(random.below(900))),
    );
  }
  for (let start = 0; start < texts.length && !isOver(); start += BATCH) {
    await push(session, texts.slice(start, start + BATCH));
  }
}
