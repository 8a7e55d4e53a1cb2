import type { SyncClientOptions } from "../../../src/client/index.ts";

export interface BreakContext {
  readonly deviceName: string;
  /** Whether a process of the device was killed since the last one was opened. */
  readonly wasKilled: boolean;
  /** Takes the time of a slow commit. */
  readonly pause: () => Promise<void>;
}

/** Makes a client a broken one, to prove that the simulation notices. */
export type BreakClient = (options: SyncClientOptions, context: BreakContext) => SyncClientOptions;
