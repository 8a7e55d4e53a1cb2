/**
 * PostgreSQL for a host, which waits for the disk: that of the system where Debian's package is installed, since a
 * dump needs a program of the same version.
 */
import { execFile, spawnSync } from "node:child_process";
import { chownSync, globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import {
  createRole,
  DURABLE,
  launchPostgres,
  postgresUrl,
  superuserUrl,
} from "../../test/database/launch-postgres.ts";
import { createPostgresNode } from "../../test/database/postgres-node.ts";
import { createFolder } from "../create-folder.ts";

export interface DatabaseServer {
  readonly version: string;
  /** As the service uses it, and as a superuser does. */
  readonly address: string;
  readonly superuser: string;
  /** Dumps everything, as a role that bypasses row security; null where the program is missing. */
  dump(): Promise<{ readonly seconds: number; readonly megabytes: number } | null>;
  close(): Promise<void>;
}

const DATABASE = "postgres";

export async function startDatabaseServer(folder: string): Promise<DatabaseServer> {
  const [programs] = globSync("/usr/lib/postgresql/*/bin/pg_dump")
    .map((path) => dirname(path))
    .filter((path) => spawnSync(join(path, "initdb"), ["--version"]).status === 0)
    .toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const { port, close } =
    programs === undefined ? await startOwn() : await startInstalled(programs);
  const superuser = superuserUrl(port, DATABASE);
  const sql = postgres(superuser, { max: 1, onnotice: () => {} });
  const [row] = await sql<
    { version: string }[]
  >`select current_setting('server_version') as version`;
  await sql`create role dumper login bypassrls in role pg_read_all_data`;
  await sql.end();
  return {
    version: row?.version ?? "",
    address: postgresUrl(port, DATABASE),
    superuser,
    close,
    async dump() {
      if (programs === undefined) return null;
      const file = join(folder, "dump");
      const startedAt = performance.now();
      const place = ["-h", "127.0.0.1", "-p", String(port), "-U", "dumper", "-f", file, DATABASE];
      await promisify(execFile)(join(programs, "pg_dump"), ["--format=custom", ...place]);
      const seconds = (performance.now() - startedAt) / 1000;
      return { seconds, megabytes: statSync(file).size / 1e6 };
    },
  };
}

async function startOwn() {
  const { port, remove } = await launchPostgres({ isDurable: true });
  return { port, close: remove };
}

async function startInstalled(programs: string) {
  const { path: folder, remove } = await createFolder();
  const user = process.getuid?.() === 0 ? userOf("postgres") : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const words = ["-D", folder, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  const made = spawnSync(join(programs, "initdb"), words, { ...user, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`PostgreSQL was not initialised: ${made.stderr}`);
  const node = await createPostgresNode(folder, join(programs, "postgres"));
  await node.start(DURABLE);
  await createRole(node.port);
  return {
    port: node.port,
    async close() {
      await node.stop();
      await remove();
    },
  };
}

/** The server refuses to run as root. */
function userOf(name: string): { readonly uid: number; readonly gid: number } {
  const ask = (option: string) => Number(spawnSync("id", [option, name]).stdout.toString());
  return { uid: ask("-u"), gid: ask("-g") };
}
