/** What frozen stores have in common, for the script that makes them and the test that opens them. */
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";

/** What a frozen folder must give back, whatever version opens it. */
export interface FrozenFacts {
  /** The version and the build that made everything in the folder. */
  readonly madeBy: string;
  /** Clocks of the test stand here, because sessions expire. */
  readonly now: number;
  readonly headOffset: number;
  /** What `trellis sync export` lists. */
  readonly entities: readonly unknown[];
  /** The events of the account as apps get them, by id. */
  readonly events: readonly unknown[];
  /** By entity id, what the client shows offline: that of the server, and an edit that waits to be pushed. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Absent where the version encrypted nothing yet. */
  readonly sealed?: FrozenSealed;
  readonly product: string;
  readonly releases: readonly string[];
}

/** What the folder `sealed` must give back: a store of ciphertext, and a device that has its keys. */
export interface FrozenSealed {
  /** By entity id, what the device shows. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The newest, after a rotation. */
  readonly recoveryKey: string;
}

/** They protect nothing: everything in a frozen folder is made up for tests, its keys too. */
export const FROZEN_ACCOUNTS = {
  sync: { username: "ada", password: "correct horse battery staple" },
  events: { username: "olive", password: "correct horse battery staple" },
} as const;

export const FROZEN_BASE_URL = "http://localhost:4811";
export const FROZEN_REDIRECT_URI = "http://localhost:43823/callback";

/** What a browser has in IndexedDB, as data. */
export interface FrozenDatabase {
  readonly version: number;
  readonly objectStore: string;
  readonly records: readonly (readonly [key: string, value: string])[];
}

/** The configuration of a frozen folder, or of a store in the place of its SQLite files. */
export function frozenSettings(dataDir: string, store?: string, profile: SyncProfile = "open") {
  return {
    dataDir,
    sync: {
      profile,
      baseUrl: FROZEN_BASE_URL,
      redirectUris: [FROZEN_REDIRECT_URI],
      ...(store !== undefined && { store }),
    },
    events: store === undefined ? {} : { store },
    release: { catalog: `${dataDir}/../catalog` },
  };
}
