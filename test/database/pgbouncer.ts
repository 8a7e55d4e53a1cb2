/** PgBouncer, which stands between clients and a server. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../fixtures/free-port.ts";
import { isListening } from "../fixtures/is-listening.ts";
import type { CleanUp } from "../fixtures/clean-up.ts";

export interface PgBouncer {
  /** Leads to the server, and to the same database. */
  readonly address: string;
  /** From now on it leads to the server at another port. */
  leadTo(port: number): Promise<void>;
}

export async function startPgBouncer(
  t: CleanUp,
  url: string,
  settings: readonly string[],
): Promise<PgBouncer> {
  expectInstalled();
  const folder = await mkdtemp(join(tmpdir(), "trellis-pgbouncer-"));
  const port = await freePort();
  const file = await writePgBouncerSettings(folder, { port, url, settings });
  await chmod(folder, 0o755);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn("pgbouncer", ["-q", file], { ...user, stdio: "ignore" });
  t.after(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  while (child.exitCode === null && !(await isListening(port))) await sleep(20);
  return {
    address: withPort(url, port),
    async leadTo(to) {
      await writePgBouncerSettings(folder, { port, url: withPort(url, to), settings });
      // It reads its settings again.
      child.kill("SIGHUP");
    },
  };
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

function expectInstalled(): void {
  if (spawnSync("pgbouncer", ["--version"]).status === 0) return;
  throw new Error(
    "PgBouncer is missing: `node scripts/ensure-programs.ts pgbouncer` installs it on Debian as root",
  );
}

export interface PgBouncerSettings {
  readonly port: number;
  /** Of the one server behind it, with the role that may sign in. */
  readonly url: string;
  /** Lines of its own. */
  readonly settings: readonly string[];
}

/** Returns the file that the program is started with. */
export async function writePgBouncerSettings(
  folder: string,
  { port, url, settings }: PgBouncerSettings,
): Promise<string> {
  const { port: serverPort, username, password } = new URL(url);
  const file = join(folder, "pgbouncer.ini");
  const users = join(folder, "pgbouncer-users.txt");
  await writeFile(users, `"${username}" "${password}"\n`);
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${serverPort}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = plain",
    `auth_file = ${users}`,
    ...settings,
  ];
  await writeFile(file, lines.join("\n"));
  return file;
}
