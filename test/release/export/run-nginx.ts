/** A real nginx on loopback, as the current user, with the exported rules. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../fixtures/free-port.ts";
import { isListening } from "../../fixtures/is-listening.ts";

/** Where nginx is, or null: Debian keeps it out of an ordinary user's path. */
export const NGINX =
  ["nginx", "/usr/sbin/nginx"].find((name) => spawnSync(name, ["-v"]).status === 0) ?? null;

export interface RunningNginx {
  /** Nothing listens there when the tree has no rules for the API. */
  readonly apiPort: number;
  /** Of the download page; nothing listens there when the tree has none. */
  readonly sitePort: number;
  readonly pid: number;
  /** What nginx warned of when it read the rules. */
  readonly warnings: readonly string[];
  stop(): Promise<void>;
}

export async function runNginx(tree: string): Promise<RunningNginx> {
  const home = await mkdtemp(join(tmpdir(), "trellis-nginx-"));
  const [apiPort = 0, sitePort = 0] = await freePorts(2);
  const servers = [
    { port: apiPort, rules: join(tree, "nginx/api.conf") },
    { port: sitePort, rules: join(tree, "nginx/site.conf") },
  ].filter(({ rules }) => existsSync(rules));
  await writeFile(join(home, "nginx.conf"), configuration(servers));
  const nginx = spawn(NGINX ?? "nginx", ["-p", home, "-c", "nginx.conf", "-e", "error.log"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  nginx.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const exited = once(nginx, "exit");
  const stop = async () => {
    if (nginx.exitCode === null && nginx.signalCode === null) nginx.kill("SIGTERM");
    await exited;
    await rm(home, { recursive: true, force: true });
  };
  while (!(await isListening(servers[0]?.port ?? 0))) {
    if (nginx.exitCode !== null) {
      complaint += await readFile(join(home, "error.log"), "utf8").catch(() => "");
      await stop();
      throw new Error(`nginx did not start:\n${complaint}`);
    }
    await sleep(25);
  }
  complaint += await readFile(join(home, "error.log"), "utf8").catch(() => "");
  const warnings = complaint.split("\n").filter((line) => line.includes("[warn]"));
  return { apiPort, sitePort, pid: nginx.pid ?? 0, warnings, stop };
}

function configuration(servers: readonly { readonly port: number; readonly rules: string }[]) {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path tmp_${name};`,
  );
  return `daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000;
${temporary.join("\n")}
${servers.map(({ port, rules }) => `  server { listen 127.0.0.1:${port}; include ${rules}; }`).join("\n")}
}
`;
}
