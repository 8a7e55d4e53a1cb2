/** PgBouncer, where it is installed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../fixtures/free-port.ts";
import { isListening } from "../fixtures/is-listening.ts";

export const HAS_PGBOUNCER = spawnSync("pgbouncer", ["--version"]).status === 0;

/** Returns an address that leads through it. */
export async function startPgBouncer(
  t: Pick<TestContext, "after">,
  url: string,
  settings: readonly string[],
): Promise<string> {
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
  const through = new URL(url);
  through.port = String(port);
  return through.href;
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
