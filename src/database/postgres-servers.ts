/**
 * The servers of an address. A connection goes to the one that the address asks for; after a failover
 * that is another one. The stores and leases of a process share what it knows about them, so that they
 * move together.
 */
import { StorageUnavailableError } from "./database.ts";
import {
  parsePostgresAddress,
  type PostgresAddress,
  type PostgresServer,
  type TargetSession,
} from "./postgres-address.ts";
import type { ConnectionSettings, PostgresConnection } from "./postgres-connection.ts";
import {
  createHistoryWatch,
  isSameOrOlder,
  readHistory,
  type History,
  type HistoryWatch,
} from "./postgres-history.ts";
import type { PostgresSession } from "./postgres-session.ts";

export interface PostgresServers {
  readonly address: PostgresAddress;
  /** Where the connections lead. */
  readonly history: HistoryWatch;
  open(settings: ConnectionSettings, purpose: "read" | "write"): Promise<PostgresConnection>;
}

interface Candidate {
  readonly server: PostgresServer;
  readonly connection: PostgresConnection;
  /** The history of the server; null when the server does not tell. */
  readonly history: History | null;
}

/** One of several servers that is silent must not delay the others for long. */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * For this time, connections go to the server that was chosen last, because they are opened in
 * bursts. Then all servers are asked again: another one may have been promoted, and the old primary
 * be back.
 */
const RECHECK_MS = 1000;

const serversByAddress = new Map<string, PostgresServers>();

/** Throws a StoreAddressError for an address that cannot be read. */
export function postgresServers(url: string): PostgresServers {
  const known = serversByAddress.get(url);
  if (known !== undefined) return known;
  const servers = createServers(parsePostgresAddress(url));
  serversByAddress.set(url, servers);
  return servers;
}

/** The servers that this process can listen to; null when it can listen to none. */
export function listeningServers(servers: PostgresServers): PostgresServers | null {
  const { address } = servers;
  if (address.listen === null) return null;
  // The connections that listen and those that write move together after a failover.
  if (address.listen === address.servers) return servers;
  return createServers({ ...address, servers: address.listen, isPooled: false });
}

function createServers(address: PostgresAddress): PostgresServers {
  return address.servers.length > 1 && address.target !== "any"
    ? createServerGroup(address, address.target)
    : createServerList(address);
}

/**
 * Connects to the first server that responds, in the order of the address; a writer needs a writable one, and
 * of several servers readers need it too: they must see what was written.
 */
function createServerList(address: PostgresAddress): PostgresServers {
  const watch = createHistoryWatch();
  return {
    address,
    history: watch,
    async open(settings, purpose) {
      const needsPrimary = purpose === "write" || address.servers.length > 1;
      const target = address.target === "any" && needsPrimary ? "primary" : address.target;
      const errors: unknown[] = [];
      for (const server of address.servers) {
        try {
          const connection = await openFit(address, server, settings, target);
          const history = await readHistory(connection);
          if (history === null) return connection;
          if (address.isPooled) connection.followTimeline(watch.note);
          watch.note(history);
          return connection;
        } catch (error) {
          errors.push(error);
        }
      }
      throw combineErrors(errors);
    },
  };
}

function createServerGroup(address: PostgresAddress, target: TargetSession): PostgresServers {
  const watch = createHistoryWatch();
  let current: { readonly server: PostgresServer; readonly checkedAt: number } | null = null;
  let newest: History | null = null;
  let used: Candidate[] = [];

  async function open(settings: ConnectionSettings): Promise<PostgresConnection> {
    const errors = new Map<PostgresServer, unknown>();
    if (current !== null && performance.now() - current.checkedAt < RECHECK_MS) {
      const { server } = current;
      try {
        return use(await openCandidate(server, settings));
      } catch (error) {
        errors.set(server, error);
        current = null;
      }
    }
    const others = address.servers.filter((server) => !errors.has(server));
    const opened = await Promise.all(
      others.map((server) =>
        openCandidate(server, settings).catch((error: unknown) => {
          errors.set(server, error);
          return null;
        }),
      ),
    );
    const candidates = opened.filter((candidate) => candidate !== null);
    const chosen = chooseNewest(candidates);
    for (const candidate of candidates) {
      if (candidate !== chosen) void candidate.connection.close();
    }
    if (chosen !== null) {
      current = { server: chosen.server, checkedAt: performance.now() };
      return use(chosen);
    }
    if (candidates.length > 0) throw twoPrimariesError();
    throw combineErrors(address.servers.map((server) => errors.get(server)));
  }

  async function openCandidate(
    server: PostgresServer,
    settings: ConnectionSettings,
  ): Promise<Candidate> {
    const connection = await openFit(address, server, settings, target);
    try {
      const history = await readHistory(connection);
      expectSuccessor(history);
      return { server, connection, history };
    } catch (error) {
      void connection.close();
      throw error;
    }
  }

  /** An old primary that came back writable lacks everything that was written since. */
  function expectSuccessor(history: History | null): void {
    if (newest === null) return;
    if (history?.systemIdentifier !== newest.systemIdentifier) {
      throw new StorageUnavailableError(
        "it is not a copy of the server that was used before: correct the address, or restart Trellis if the database was moved",
      );
    }
    if (history.timeline < newest.timeline) {
      throw new StorageUnavailableError(
        "it is an old primary: another server was promoted since; make it a standby of that one",
      );
    }
  }

  function use(candidate: Candidate): PostgresConnection {
    const { connection, history } = candidate;
    used = [...used.filter((other) => !other.connection.isLost()), candidate];
    if (history !== null && history.timeline > (newest?.timeline ?? 0)) newest = history;
    closeOutdated();
    if (history !== null) watch.note(history);
    return connection;
  }

  /** Connections to an old primary may still work, or be silent in the middle of a statement. */
  function closeOutdated(): void {
    for (const { connection, history } of used) {
      if (history !== null && newest !== null && history.timeline < newest.timeline) {
        void connection.close();
      }
    }
  }

  return { address, history: watch, open };
}

async function openFit(
  address: PostgresAddress,
  server: PostgresServer,
  settings: ConnectionSettings,
  target: TargetSession,
): Promise<PostgresConnection> {
  const ownTimeoutMs =
    address.servers.length > 1
      ? Math.min(settings.connectTimeoutMs, CONNECT_TIMEOUT_MS)
      : settings.connectTimeoutMs;
  const connectTimeoutMs = address.connectTimeoutMs ?? ownTimeoutMs;
  // A process that uses SQLite alone starts without the library.
  const { openPostgresConnection } = await import("./postgres-connection.ts");
  const connection = await openPostgresConnection(address, server, {
    ...settings,
    connectTimeoutMs,
  });
  const reason = findUnfitness(connection.session, target);
  if (reason === null) return connection;
  await connection.close();
  throw new StorageUnavailableError(reason);
}

function findUnfitness(
  { isStandby, isReadOnly }: PostgresSession,
  target: TargetSession,
): string | null {
  if (target === "any") return null;
  if (isStandby) return "the server is a standby, which cannot be written until it is promoted";
  if (isReadOnly && target === "read-write") {
    return "the server is read-only by its setting default_transaction_read_only";
  }
  return null;
}

/** The candidate of the newest history; null when there is none, or when two could be the primary. */
function chooseNewest(candidates: readonly Candidate[]): Candidate | null {
  const [first, ...others] = candidates.toSorted(
    (one, other) => (other.history?.timeline ?? 0) - (one.history?.timeline ?? 0),
  );
  if (first === undefined) return null;
  return others.every(({ history }) => isSameOrOlder(history, first.history)) ? first : null;
}

function twoPrimariesError(): Error {
  return new StorageUnavailableError(
    "two servers of the address can be written, and neither is newer: stop the one that is not the primary",
  );
}

/** Servers are numbered as in the address, because no message has an address. */
function combineErrors(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (errors.length === 1) return first;
  const reasons = errors.map((error, index) => `server ${index + 1}: ${reasonOf(error)}`);
  return new StorageUnavailableError(`no server can be used (${reasons.join("; ")})`);
}

export function reasonOf(error: unknown): string {
  if (error instanceof StorageUnavailableError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
