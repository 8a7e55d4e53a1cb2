/**
 * Failovers on this machine: PostgreSQL under Patroni, poolers, and four Trellis processes, while devices push. It
 * ends with exit code 1 when an acknowledged operation is gone. `--quick` kills two primaries instead of ten.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { runBenchmark, type Benchmark } from "../bench/run-benchmark.ts";
import { askByHost } from "../test/sync/ask-by-host.ts";
import { ACCOUNT } from "../test/sync/faults/sync-instance.ts";
import type { Ask } from "../test/sync/sync-client.ts";
import { failLossily } from "./cluster/fail-lossily.ts";
import { killPrimaries } from "./cluster/kill-primaries.ts";
import { createPrograms } from "./cluster/programs.ts";
import { createPusher, type Pusher } from "./cluster/pushers.ts";
import { renderClusterReport, type ClusterReport } from "./cluster/report.ts";
import { startCluster, type Cluster } from "./cluster/start-cluster.ts";

const INSTANCES = 8;
const DEVICES = ["phone", "laptop"];
/** By Debian's packages, with the words that make each print its version. */
const PROGRAMS = {
  postgresql: ["psql", "--version"],
  patroni: ["patroni", "--version"],
  "etcd-server": ["etcd", "--version"],
  haproxy: ["haproxy", "-v"],
  pgbouncer: ["pgbouncer", "--version"],
};

await runBenchmark(failOver, renderClusterReport);

async function failOver({ isQuick, use, progress }: Benchmark): Promise<ClusterReport> {
  const versions = readVersions();
  progress("Starting the nodes and the poolers");
  const cluster = await startCluster(use(createPrograms()));
  const names = Array.from({ length: INSTANCES }, (_, index) => `person-${index + 1}`);
  const asks = new Map(names.map((name) => [name, askInstance(cluster, name)]));
  progress("Adding instances, starting Trellis, signing devices in");
  for (const name of names) await addInstance(cluster, name);
  await cluster.serve();
  const pushers: Pusher[] = [];
  for (const [name, ask] of asks) {
    for (const device of DEVICES) pushers.push(await createPusher(name, ask, `${device}-${name}`));
  }
  const kills = await killPrimaries(cluster, pushers, isQuick ? 2 : 10, progress);
  const loss = await failLossily(cluster, asks, progress);
  const missing = loss.instances.some(
    (row) => row.missing > 0 || (row.lacking > 0 && row.told === 0),
  );
  if (kills.lost > 0 || kills.doubled > 0 || missing) process.exitCode = 1;
  return {
    versions,
    ways: cluster.servers.map(({ way }) => way),
    instances: INSTANCES,
    devices: pushers.length,
    kills,
    loss,
  };
}

function hostOf(cluster: Cluster, name: string): string {
  return `${name}.localhost:${cluster.port}`;
}

/** All devices are on one network here, so a host would take their sign-ins for those of one stranger. */
function askInstance(cluster: Cluster, name: string): Ask {
  const ask = askByHost(`http://127.0.0.1:${cluster.port}`, hostOf(cluster, name));
  return async (path, init) => {
    for (;;) {
      const response = await ask(path, init);
      if (response.status !== 429) return response;
      await sleep(Number(response.headers.get("Retry-After") ?? 1) * 1000);
    }
  };
}

async function addInstance(cluster: Cluster, name: string): Promise<void> {
  const { username, password } = ACCOUNT;
  const baseUrl = `http://${hostOf(cluster, name)}`;
  await cluster.run(["sync", "instance", "add", name, "--base-url", baseUrl]);
  const create = ["sync", "account", "create", "--instance", name, "--username", username];
  await cluster.run([...create, "--password-stdin"], `${password}\n`);
}

function readVersions(): string[] {
  return Object.entries(PROGRAMS).map(([name, [program = "", ...words]]) => {
    const { stdout, error } = spawnSync(program, words, { encoding: "utf8" });
    if (error !== undefined) {
      throw new Error(
        `${program} is missing (Debian: \`apt-get install ${Object.keys(PROGRAMS).join(" ")}\`, without starting their services)`,
      );
    }
    return `${name} ${/\d+(?:\.\d+)+/.exec(stdout)?.[0]}`;
  });
}
