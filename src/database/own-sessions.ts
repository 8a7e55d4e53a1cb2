import type { ConnectionSettings, PostgresConnection } from "./postgres-connection.ts";
import { postgresServers } from "./postgres-servers.ts";
import { sharedSessionError } from "./postgres-session.ts";

/** The settings of a single connection beside those of a store. */
export const SINGLE_CONNECTION: ConnectionSettings = {
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 10_000,
  idleTimeoutMs: 0,
  connectTimeoutMs: 10_000,
};

/** A pooler that gives out its sessions in turn, or the last one first, is found in the first round. */
const ROUNDS = 3;

/**
 * Fails when a pooler gives the transactions of a connection to different sessions. Each connection has
 * marked its session: the marker must stay, and the next connection must not find it, which it checks
 * when it is opened.
 */
export async function expectOwnSessions(url: string): Promise<void> {
  const open = () => postgresServers(url).open(SINGLE_CONNECTION, "read");
  const first = await open();
  try {
    await expectMarker(first);
    const second = await open();
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.all([expectMarker(first), expectMarker(second)]);
      }
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

async function expectMarker({ query, session }: PostgresConnection): Promise<void> {
  const [row] = await query<{ marker: string | null }>(
    "select current_setting('trellis.session', true) as marker",
  );
  if (row?.marker !== session.marker) throw sharedSessionError();
}
