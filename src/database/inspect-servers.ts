import type { PostgresAddress, PostgresServer } from "./postgres-address.ts";
import { openPostgresConnection, type PostgresConnection } from "./postgres-connection.ts";
import { readHistory, type History } from "./postgres-history.ts";
import { reasonOf } from "./postgres-servers.ts";

export interface InspectedServer {
  readonly server: PostgresServer;
  readonly state: ServerState;
}

/** What a server says of itself; its history is null when it does not tell. */
export type ServerState =
  | { readonly kind: "writable"; readonly history: History | null }
  | { readonly kind: "standby" | "read-only" }
  | { readonly kind: "unreachable"; readonly reason: string };

/** One of several servers that is silent must not keep the caller waiting. */
const TIMES = {
  statementTimeoutMs: 5000,
  lockTimeoutMs: 5000,
  idleTimeoutMs: 5000,
  connectTimeoutMs: 5000,
};

/** Inspects the servers, and returns them in the order of the address. */
export function inspectServers(address: PostgresAddress): Promise<InspectedServer[]> {
  return Promise.all(
    address.servers.map(async (server) => ({
      server,
      state: await inspectServer(address, server),
    })),
  );
}

async function inspectServer(
  address: PostgresAddress,
  server: PostgresServer,
): Promise<ServerState> {
  let connection: PostgresConnection;
  try {
    connection = await openPostgresConnection(address, server, {
      ...TIMES,
      connectTimeoutMs: address.connectTimeoutMs ?? TIMES.connectTimeoutMs,
    });
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
  try {
    const { isStandby, isReadOnly } = connection.session;
    if (isStandby) return { kind: "standby" };
    if (isReadOnly) return { kind: "read-only" };
    return { kind: "writable", history: await readHistory(connection) };
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  } finally {
    await connection.close();
  }
}
