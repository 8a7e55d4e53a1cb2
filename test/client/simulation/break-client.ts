import type { SyncClient, SyncClientOptions } from "../../../src/client/index.ts";
import type { Bills } from "./bills.ts";
import type { Tasks } from "./tasks.ts";

export interface BreakContext {
  readonly deviceName: string;
  /** Whether a process of the device was killed since the last one was opened. */
  readonly wasKilled: boolean;
  /** Takes the time of a slow commit. */
  readonly pause: () => Promise<void>;
}

export interface BrokenOptions extends SyncClientOptions {
  /** Replaces calls of the collection. */
  readonly breakTasks?: (tasks: Tasks, client: SyncClient) => void;
  /** The same of bills, in the newer build. */
  readonly breakBills?: (bills: Bills, client: SyncClient) => void;
}

/** Makes a client a broken one, to prove that the simulation notices. */
export type BreakClient = (options: SyncClientOptions, context: BreakContext) => BrokenOptions;
