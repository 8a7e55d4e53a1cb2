import type { Queryable } from "../../database/database.ts";
import { SYNC_REALM } from "../store.ts";

export interface DeviceUse {
  /** Those that are signed in. */
  readonly devices: number;
  /** When one of them last renewed its session; null without a device. */
  readonly lastUsedAt: number | null;
  readonly hasAccount: boolean;
}

export async function readDeviceUse(store: Queryable, now: number): Promise<DeviceUse> {
  const [row] = await store.query<{ devices: number; last: number | null; accounts: number }>(
    `SELECT count(*) AS devices, max(s.last_used_at) AS last,
       (SELECT count(*) FROM identity_accounts WHERE realm = $2) AS accounts
     FROM sync_sessions s WHERE s.idle_expires_at > $1 AND s.absolute_expires_at > $1`,
    [now, SYNC_REALM],
  );
  return {
    devices: row?.devices ?? 0,
    lastUsedAt: row?.last ?? null,
    hasAccount: (row?.accounts ?? 0) > 0,
  };
}
