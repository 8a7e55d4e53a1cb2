/** The modes of `sslmode` against a server with a certificate: each means what it means in libpq. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chown, chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, after, test } from "node:test";
import { StorageUnavailableError } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { createAuthority, type Certificate } from "../fixtures/make-certificate.ts";
import { createCluster, createRole, postgresUrl } from "./launch-postgres.ts";
import { createPostgresNode, type PostgresNode } from "./postgres-node.ts";
import { startPostgres } from "./start-postgres.ts";

const authority = createAuthority("Trusted authority");
const stranger = createAuthority("Another authority");

let folder: string;
let server: PostgresNode;
const file = (name: string) => join(folder, name);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-tls-"));
  // As root, the server runs as another user.
  await chmod(folder, 0o755);
  await createCluster(file("cluster"));
  server = await createPostgresNode(file("cluster"));
  await server.start();
  await createRole(server.port);
  await server.stop();
  await writeFile(file("ca.pem"), authority.certificate);
  await writeFile(file("stranger.pem"), stranger.certificate);
  await writeFile(file("empty.pem"), "no certificate");
  await writeCertificate(authority.issue({ names: ["localhost"] }));
  await startServer();
});

after(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

for (const [parameters, host, isEncrypted] of [
  ["sslmode=verify-full&sslrootcert=ca.pem", "localhost", true],
  ["sslmode=verify-ca&sslrootcert=ca.pem", "localhost", true],
  ["sslmode=verify-ca&sslrootcert=ca.pem", "127.0.0.1", true],
  ["sslmode=require&sslrootcert=ca.pem", "127.0.0.1", true],
  ["sslmode=require", "127.0.0.1", true],
  ["sslmode=prefer", "127.0.0.1", true],
  ["", "127.0.0.1", true],
  ["sslmode=disable", "127.0.0.1", false],
] as const) {
  test(`"${parameters}" connects to ${host}, ${isEncrypted ? "encrypted" : "plain"}`, async () => {
    assert.equal(await connectsEncrypted(address(host, parameters)), isEncrypted);
  });
}

for (const [parameters, host, message] of [
  ["sslmode=verify-full&sslrootcert=ca.pem", "127.0.0.1", /certificate is for another host name/],
  ["sslmode=verify-full&sslrootcert=stranger.pem", "localhost", /not from an authority that is/],
  ["sslmode=verify-ca&sslrootcert=stranger.pem", "localhost", /not from an authority that is/],
  ["sslmode=require&sslrootcert=stranger.pem", "localhost", /not from an authority that is/],
  ["sslmode=verify-full", "localhost", /set sslrootcert to the certificate of its authority/],
  ["sslmode=verify-full&sslrootcert=missing.pem", "localhost", /cannot be read \(ENOENT\)/],
  ["sslmode=verify-full&sslrootcert=empty.pem", "localhost", /has no certificate/],
] as const) {
  test(`"${parameters}" refuses ${host} with a reason`, async () => {
    await expectRefused(address(host, parameters), message);
  });
}

test("the certificate of an IP address is verified, and an expired one is refused", async () => {
  const subject = { names: ["localhost"], addresses: ["127.0.0.1"] };
  const url = address("127.0.0.1", "sslmode=verify-full&sslrootcert=ca.pem");
  await replaceCertificate(authority.issue(subject));
  assert.equal(await connectsEncrypted(url), true);
  await replaceCertificate(authority.issue({ ...subject, notAfter: new Date(Date.now() - 1000) }));
  await expectRefused(url, /the server's certificate has expired/);
});

test("a server without TLS is refused unless the address allows a plain connection", async () => {
  const plain = await (await startPostgres()).createDatabase();
  assert.equal(await connectsEncrypted(`${plain}?sslmode=prefer`), false);
  for (const mode of ["require", "verify-full"]) {
    await expectRefused(`${plain}?sslmode=${mode}`, /offers no TLS, which sslmode=\S+ asks for/);
  }
});

test("bytes that were put before the encrypted ones end the connection", async (t) => {
  const middle = createServer((client) => {
    client.on("error", () => {}).once("data", () => client.write("SE"));
    t.after(() => client.destroy());
  });
  middle.listen(0, "127.0.0.1");
  await once(middle, "listening");
  t.after(() => middle.close());
  const { port } = middle.address() as AddressInfo;
  for (const mode of ["prefer", "require"]) {
    await expectRefused(
      `postgres://u:p@127.0.0.1:${port}/d?sslmode=${mode}`,
      /changes the connection/,
    );
  }
});

test(
  "a Unix socket is plain: it stays on the machine",
  { skip: process.platform === "win32" && "PostgreSQL has no Unix sockets here" },
  async () => {
    const url = address(encodeURIComponent(server.folder), "sslmode=require");
    assert.equal(await connectsEncrypted(url), false);
  },
);

function startServer(): Promise<void> {
  return server.start([
    "ssl=on",
    "ssl_cert_file=server.crt",
    "ssl_key_file=server.key",
    `unix_socket_directories=${server.folder}`,
  ]);
}

function address(host: string, parameters: string): string {
  const url = postgresUrl(server.port, "postgres").replace("127.0.0.1", host);
  return `${url}?${parameters.replace("sslrootcert=", `sslrootcert=${folder}/`)}`;
}

async function connectsEncrypted(url: string): Promise<boolean> {
  const database = await openPostgres(url);
  try {
    const [row] = await database.query<{ ssl: number }>(
      "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
    );
    return row?.ssl === 1;
  } finally {
    await database.close();
  }
}

async function expectRefused(url: string, message: RegExp): Promise<void> {
  await assert.rejects(openPostgres(url), (error: unknown) => {
    assert.ok(error instanceof StorageUnavailableError, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /a-password-nobody-may-see|127\.0\.0\.1|localhost/);
    return true;
  });
}

async function writeCertificate({ certificate, key }: Certificate): Promise<void> {
  const { uid, gid } = await stat(server.folder);
  for (const [name, text] of [
    ["server.crt", certificate],
    ["server.key", key],
  ] as const) {
    const path = join(server.folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (process.getuid?.() === 0) await chown(path, uid, gid);
  }
}

async function replaceCertificate(certificate: Certificate): Promise<void> {
  await writeCertificate(certificate);
  await server.stop();
  await startServer();
}
