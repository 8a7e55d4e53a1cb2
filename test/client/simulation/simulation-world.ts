/** Everything that a simulated run consists of. */
import { rmSync } from "node:fs";
import { START } from "../../sync/service/sync-service.ts";
import type { BreakClient } from "./break-client.ts";
import type { BrokenServer } from "./broken-servers.ts";
import { createDice, type Dice } from "./dice.ts";
import { createEditHistory, type EditHistory } from "./edit-history.ts";
import { PROFILES, type Profiles } from "./edits.ts";
import { createNetwork, type Network } from "./network.ts";
import { createSealedAccount, type SealedAccount } from "./sealed-account.ts";
import { createSimulatedDevice, type SimulatedDevice } from "./simulated-device.ts";
import { createFolder, createSimulatedServer, type SimulatedServer } from "./simulated-server.ts";
import type { TransactionLimits } from "./task-edits.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";
import { createWireRecord, hasToken, type WireRecord } from "./wire-record.ts";

export interface SimulationWorld {
  readonly dice: Dice;
  readonly time: VirtualTime;
  readonly server: SimulatedServer;
  readonly network: Network;
  readonly wire: WireRecord;
  readonly history: EditHistory;
  readonly devices: readonly SimulatedDevice[];
  readonly profiles: Profiles;
  /** Null when the server can read the data. */
  readonly sealed: SealedAccount | null;
  /** Whether the server is ever put back: a recovery heals what else may be wrong. */
  readonly hasRecoveries: boolean;
  /** Whether the operator ever purges what was deleted. */
  readonly hasPurges: boolean;
  /** Whether a device is stolen half way. */
  readonly hasThief: boolean;
  /** What a transaction can be. */
  readonly transactions: TransactionLimits;
  /** The greatest body that reaches the server and is taken. */
  readonly bodyBytes: number;
  readonly errors: string[];
  readonly steps: readonly string[];
  /** A device that was not there before. */
  addDevice(): SimulatedDevice;
  trace(line: string): void;
  fail(error: string): void;
  /** What a client returned: it must have no token in it. */
  noteResult(what: string, result: unknown): void;
  close(): Promise<void>;
}

/** One in so many seeds. */
const PURGED_SEEDS = 10;
const STOLEN_SEEDS = 4;
/** Two in ten seeds have bills, and open profiles. */
const BILL_SEEDS: ReadonlySet<number> = new Set([6, 9]);
/** Every operation fits, and not every transaction. */
const PROXY_BYTES = 1_500;
const SEALED_PROXY_BYTES = 4_500;

export interface WorldOptions {
  readonly breakClient?: BreakClient;
  readonly brokenServer?: BrokenServer;
  /** Whether the devices encrypt, and the server cannot read. */
  readonly isSealed?: boolean;
}

export async function createSimulationWorld(
  seed: number,
  { breakClient, brokenServer, isSealed = false }: WorldOptions,
): Promise<SimulationWorld> {
  const dice = createDice(seed);
  const time = createVirtualTime(START);
  const hasBills = BILL_SEEDS.has(seed % 10);
  const picked = pickProfiles(dice, isSealed);
  const profiles: Profiles = hasBills ? { client: "open", server: "open" } : picked;
  const hasRecoveries = dice.chance(60);
  const steps: string[] = [];
  const errors: string[] = [];
  const devices: SimulatedDevice[] = [];
  const folder = createFolder();
  const trace = (line: string) => void steps.push(`${formatTime(time.now() - START)} ${line}`);
  const fail = (error: string) => {
    trace(`ERROR ${error}`);
    errors.push(error);
  };
  const limits = {
    maxPushOperations: dice.pick([1, 6, 100]),
    maxPullOperations: dice.pick([1, 2, 5, 500]),
    maxBodyBytes: dice.pick([isSealed ? 16_384 : 2048, 262_144]),
  };
  const server = await createSimulatedServer({
    now: time.now,
    profile: isSealed ? "sealed" : profiles.server,
    limits,
    pick: dice.pick,
    broken: brokenServer ?? null,
  });
  const wire = createWireRecord();
  const history = createEditHistory();
  const sealed = isSealed ? createSealedAccount(dice, history) : null;
  const hasThief = !hasBills && seed % STOLEN_SEEDS === 0;
  // What a thief floods is larger.
  const proxyBytes =
    hasThief || hasBills ? null : dice.pick([null, isSealed ? SEALED_PROXY_BYTES : PROXY_BYTES]);
  const network = createNetwork({ time, dice, server, wire, proxyBytes, trace });
  trace(`seed ${seed}: ${JSON.stringify({ profiles, limits, proxyBytes, isSealed })}`);
  const transactions = {
    maxOperations: limits.maxPushOperations,
    proxyBytes,
    isRefusable: profiles.client !== profiles.server,
  };
  return {
    dice,
    time,
    server,
    network,
    wire,
    history,
    devices,
    profiles,
    sealed,
    hasRecoveries,
    hasThief,
    hasPurges: seed % PURGED_SEEDS === 0,
    transactions,
    bodyBytes: Math.min(limits.maxBodyBytes, proxyBytes ?? Infinity),
    errors,
    steps,
    addDevice() {
      const createEncryption = sealed?.createEncryption ?? null;
      const world = { time, dice, network, folder, createEncryption, trace, fail };
      const name = `d${devices.length + 1}`;
      const device = createSimulatedDevice(name, {
        ...world,
        breakClient: breakClient ?? null,
        hasBills,
        staysWhole: !hasRecoveries && !hasThief && !transactions.isRefusable,
        profile: profiles.client,
      });
      devices.push(device);
      return device;
    },
    trace,
    fail,
    noteResult(what, result) {
      const text = JSON.stringify(result);
      trace(`${what}: ${text}`);
      if (hasToken(text)) fail(`A token is in the result of ${what}`);
    },
    async close() {
      for (const device of devices) for (const { process } of device.apps()) process.end();
      await time.drain();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that cannot read the data refuses none of it for what it is. */
function pickProfiles(dice: Dice, isSealed: boolean): Profiles {
  const { client, server } = dice.pick(PROFILES);
  return { client, server: isSealed ? client : server };
}

function formatTime(ms: number): string {
  return `+${(ms / 1000).toFixed(3)}s`;
}
