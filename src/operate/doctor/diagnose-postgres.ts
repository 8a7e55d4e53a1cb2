/** How the way to a PostgreSQL store is protected, and what each of several servers is. */
import { lookup } from "node:dns/promises";
import { inspectServers, type InspectedServer } from "../../database/inspect-servers.ts";
import {
  isUnixSocket,
  parsePostgresAddress,
  type PostgresServer,
  type TlsSettings,
} from "../../database/postgres-address.ts";
import { classifyAddress, type AddressKind } from "../../rules/events/address/classify-address.ts";
import { parseIpAddress } from "../../rules/events/address/ip-address.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

/** All addresses of a name; rejects when it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

const resolveWithSystem: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** The configuration was checked, so the address can be parsed. */
export async function diagnosePostgres(
  subject: string,
  store: string,
  resolve: ResolveName = resolveWithSystem,
): Promise<Finding[]> {
  const address = parsePostgresAddress(store);
  const { servers, tls } = address;
  const findings = await Promise.all(
    servers.map((server) => checkWay(subject, server, tls, resolve)),
  );
  return servers.length === 1
    ? findings
    : [...findings, ...describeServers(subject, await inspectServers(address))];
}

const USE_TLS = "add `sslmode=verify-full`, and `sslrootcert=FILE` for an authority of your own";

async function checkWay(
  subject: string,
  server: PostgresServer,
  { mode, rootCertificates }: TlsSettings,
  resolve: ResolveName,
): Promise<Finding> {
  const { host } = server;
  if (isUnixSocket(server)) return ok(subject, `the Unix socket in ${host} stays on this machine`);
  if (mode.startsWith("verify") || (mode === "require" && rootCertificates !== null)) {
    return ok(subject, `connections to ${host} need TLS and a certificate that is verified`);
  }
  const way = await findWay(host, resolve);
  if (way === null) {
    return warning(
      subject,
      `the name ${host} cannot be resolved, so it is not known whether its network is private`,
      `correct the name, or ${USE_TLS}`,
    );
  }
  const { name, kind } = way;
  if (kind === "loopback") return ok(subject, `the connection to ${name} stays on this machine`);
  if (mode === "require") {
    return warning(
      subject,
      `the connection to ${name} is encrypted, but sslmode=require verifies no certificate: a machine in between can read and change everything`,
      USE_TLS,
    );
  }
  if (kind === "private") {
    return ok(subject, `the connection to ${name} may be unencrypted, in a private network`);
  }
  return warning(
    subject,
    mode === "disable"
      ? `the connection to ${name} is unencrypted, and leaves the private network: machines on the way can read and change everything`
      : `the connection to ${name} leaves the private network, and sslmode=prefer neither insists on TLS nor verifies a certificate`,
    USE_TLS,
  );
}

/** The kind of a host's network, by the most public of its addresses; null when its name does not resolve. */
async function findWay(
  host: string,
  resolve: ResolveName,
): Promise<{ readonly name: string; readonly kind: "loopback" | "private" | "other" } | null> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch {
    return null;
  }
  const found = addresses.map((address) => ({
    name: address === host ? host : `${host} (${address})`,
    kind: simplify(classify(address)),
  }));
  for (const kind of ["other", "private", "loopback"] as const) {
    const way = found.find((candidate) => candidate.kind === kind);
    if (way !== undefined) return way;
  }
  return null;
}

function classify(address: string): AddressKind {
  const bytes = parseIpAddress(address);
  return bytes === null ? "reserved" : classifyAddress(bytes);
}

function simplify(kind: AddressKind): "loopback" | "private" | "other" {
  if (kind === "loopback") return kind;
  return kind === "private" || kind === "link-local" ? "private" : "other";
}

function describeServers(subject: string, servers: readonly InspectedServer[]): Finding[] {
  const writable = servers.flatMap(({ state }) =>
    state.kind === "writable" ? [state.history] : [],
  );
  const newest = Math.max(...writable.map((history) => history?.timeline ?? 0));
  // Two hosts may be two ways to one server.
  const isOnly = new Set(writable.map((history) => history?.startedAt)).size === 1;
  return servers.map(({ server: { host, port }, state }) => {
    const name = `${host}:${port}`;
    switch (state.kind) {
      case "writable": {
        if (isOnly) return ok(subject, `${name} is the primary`);
        const isOld = (state.history?.timeline ?? 0) < newest;
        return errorFinding(
          subject,
          isOld
            ? `${name} can be written, but is an old primary: another server was promoted since`
            : `${name} can be written, and is not the only one`,
          "only one server may be the primary: stop the others and make them its standbys",
        );
      }
      case "standby":
        return ok(subject, `${name} is a standby`);
      case "read-only":
        return warning(
          subject,
          `${name} is read-only`,
          "see its setting default_transaction_read_only",
        );
      case "unreachable":
        return warning(
          subject,
          `${name} cannot be used: ${state.reason}`,
          "see the log of that server",
        );
    }
  });
}
