/**
 * The address of a PostgreSQL store, with the meaning that libpq gives it:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */

export interface PostgresAddress {
  readonly servers: readonly PostgresServer[];
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string | null;
  readonly target: TargetSession;
  readonly tls: TlsSettings;
  /** How long to wait for each server; null when the address does not say. */
  readonly connectTimeoutMs: number | null;
  /** What a session asks of the server, such as `search_path`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether each transaction may get another session, as from a pooler in transaction mode. */
  readonly isPooled: boolean;
  /** The servers that this process can listen to; null when it can listen to none. */
  readonly listen: readonly PostgresServer[] | null;
  /** Whether others may listen. */
  readonly notifies: boolean;
}

export interface PostgresServer {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Which of several servers to use: any that responds, or the one that can be written. */
const TARGETS = ["any", "read-write", "primary"] as const;
export type TargetSession = (typeof TARGETS)[number];

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface TlsSettings {
  readonly mode: SslMode;
  /** The file with the certificates to trust; null for the authorities that Node trusts. */
  readonly rootCertificates: string | null;
}

/** No message quotes the address, which may contain a password. */
export class StoreAddressError extends Error {
  override readonly name = "StoreAddressError";
}

const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:(?<credentials>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/;
const SERVER = /^(?:\[(?<ipv6>[0-9a-fA-F:.]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/;
const DEFAULT_PORT = 5432;
/** These parameters are sent to the server. */
const SETTINGS = ["application_name", "options", "search_path"];
const PARAMETERS = [
  "sslmode",
  "sslrootcert",
  "target_session_attrs",
  "connect_timeout",
  "instance",
  "pool",
  "listen",
  ...SETTINGS,
];
const NO_LISTEN = "none";

export function isPostgresAddress(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store);
}

/** Throws a StoreAddressError that says what is wrong. */
export function parsePostgresAddress(text: string): PostgresAddress {
  const { credentials, hosts, database, query } = ADDRESS.exec(text)?.groups ?? {};
  if (hosts === undefined) {
    throw new StoreAddressError(
      "The store's address cannot be read: write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of a password percent-encoded",
    );
  }
  const servers = hosts.split(",").map(parseServer);
  const parameters = parseParameters(query ?? "");
  const [user, ...rest] = (credentials ?? "").split(":");
  return {
    servers,
    user: decode(user) || null,
    password: decode(rest.join(":")) || null,
    database: decode(database) || null,
    // A store is written, so a standby among several servers is of no use; libpq would say "any".
    target: choice(parameters, "target_session_attrs", TARGETS) ?? defaultTarget(servers),
    tls: parseTls(parameters),
    connectTimeoutMs: parseTimeout(parameters.get("connect_timeout")),
    settings: Object.fromEntries([...parameters].filter(([name]) => SETTINGS.includes(name))),
    ...parsePooling(parameters, servers),
  };
}

function parsePooling(
  parameters: ReadonlyMap<string, string>,
  servers: readonly PostgresServer[],
): Pick<PostgresAddress, "isPooled" | "listen" | "notifies"> {
  const isPooled = choice(parameters, "pool", ["transaction"]) !== undefined;
  if (isPooled && parameters.has("options")) {
    throw new StoreAddressError(
      "The store's address has pool=transaction and options, which a pooler does not take: set them for the role, with ALTER ROLE … SET",
    );
  }
  const listen = parameters.get("listen");
  if (listen === NO_LISTEN) return { isPooled, listen: null, notifies: false };
  const own = listen === undefined ? null : listen.split(",").map(parseServer);
  return { isPooled, listen: own ?? (isPooled ? null : servers), notifies: true };
}

export function isUnixSocket({ host }: PostgresServer): boolean {
  return host.startsWith("/");
}

function defaultTarget(servers: readonly PostgresServer[]): TargetSession {
  return servers.length > 1 ? "read-write" : "any";
}

function parseServer(text: string): PostgresServer {
  const { ipv6, name, port = "" } = SERVER.exec(text)?.groups ?? {};
  const host = ipv6 ?? decode(name);
  const number = port === "" ? DEFAULT_PORT : Number(port);
  if ((ipv6 === undefined && name === undefined) || number < 1 || number > 65_535) {
    throw new StoreAddressError(
      "A host of the store's address cannot be read: write HOST:PORT, an IPv6 address in brackets, and a comma between several of them",
    );
  }
  return { host: host === "" ? "localhost" : host, port: number };
}

function parseParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split("&").filter((text) => text !== "")) {
    const [name = "", ...value] = part.split("=");
    if (!PARAMETERS.includes(name)) {
      throw new StoreAddressError(
        `The store's address has a parameter that is not supported: it may have ${PARAMETERS.join(", ")}`,
      );
    }
    if (parameters.has(name)) {
      throw new StoreAddressError(`The store's address has ${name} twice: write it once`);
    }
    parameters.set(name, decode(value.join("=")));
  }
  return parameters;
}

function parseTls(parameters: ReadonlyMap<string, string>): TlsSettings {
  const rootCertificates = parameters.get("sslrootcert") ?? "";
  const isSystem = rootCertificates === "system";
  const mode = choice(parameters, "sslmode", SSL_MODES) ?? (isSystem ? "verify-full" : "prefer");
  // A public authority certifies every host of the world, so only the name proves the server.
  if (isSystem && mode !== "verify-full") {
    throw new StoreAddressError(
      "The store's address has sslrootcert=system, which needs sslmode=verify-full",
    );
  }
  if (rootCertificates === "" && mode === "verify-ca") {
    throw new StoreAddressError(
      "The store's address has sslmode=verify-ca without an authority of your own: add sslrootcert=FILE, or use sslmode=verify-full",
    );
  }
  return { mode, rootCertificates: isSystem || rootCertificates === "" ? null : rootCertificates };
}

function parseTimeout(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,2}$/.test(text)) {
    throw new StoreAddressError("connect_timeout of the store's address must be 1 to 999 seconds");
  }
  return Number(text) * 1000;
}

function choice<T extends string>(
  parameters: ReadonlyMap<string, string>,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = parameters.get(name);
  const chosen = choices.find((candidate) => candidate === value);
  if (value !== undefined && chosen === undefined) {
    throw new StoreAddressError(
      `${name} of the store's address must be one of ${choices.join(", ")}`,
    );
  }
  return chosen;
}

function decode(text = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreAddressError(
      "The store's address has a % that does not begin a percent-encoded character: write %25 for it",
    );
  }
}
