/** Instances in a file each, which one process serves. */
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, residentMegabytes, startService, startWorker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import type { HostLoadOrder, HostLoadResult } from "./load.ts";
import { ACCESS_TOKEN, hostOf, makeInstances } from "./make-instances.ts";
import {
  createPush,
  measurePushes,
  PUSHES_PER_ROUND,
  randomBelow,
  toPushRow,
} from "./push-scenarios.ts";
import type { FileHostReport, StateRow } from "./report-host.ts";

const MANY = 16;

export async function measureFileHost(benchmark: Benchmark): Promise<FileHostReport> {
  const { isQuick, use, progress } = benchmark;
  const [instances, active, rounds] = isQuick ? [1000, 50, 2] : [10_000, 500, 10];
  const dataDir = await benchmark.createFolder();
  progress(`Making ${instances} instances`);
  await makeInstances(dataDir, instances);
  const port = await freePort();
  const config = join(dataDir, "trellis.config.json");
  const sync = { listen: { port }, maxOpen: active };
  const operator = { listen: { port: await freePort() } };
  await writeFile(config, JSON.stringify({ dataDir, sync, operator }));
  const ready = `http://127.0.0.1:${operator.listen.port}/readyz`;
  const { pid, startSeconds } = use(await startService("sync", config, ready, "free"));
  const load = use(startWorker<HostLoadOrder, HostLoadResult>("host/load.ts", "free"));
  const devices = Array.from({ length: instances }, (_, index) => ({
    host: hostOf(index),
    token: ACCESS_TOKEN,
  }));
  await load.ask({ kind: "devices", devices });
  const push = createPush(load, [port]);

  const states: StateRow[] = [];
  const note = (after: string) =>
    states.push({
      after,
      residentMegabytes: residentMegabytes(pid).now,
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
    });
  note("the start");
  progress(`Opening ${active} instances, the first push to each`);
  const first = await push(
    MANY,
    Array.from({ length: active }, (_, index) => index),
  );
  note(`a push to each of ${active}`);
  const scenarios = [
    { name: "one instance", push, choose: () => 0 },
    { name: `random of ${active} open`, push, choose: () => randomBelow(active) },
  ];
  const pushes = await measurePushes(scenarios, { rounds }, progress);
  note("the pushes to open instances");
  progress("Pushes that open an instance and close another");
  const opened = rounds * PUSHES_PER_ROUND;
  const opening = await push(
    MANY,
    Array.from({ length: opened }, () => randomBelow(instances)),
  );
  note(`${opened} pushes to random ones of all`);
  return {
    instances,
    active,
    startSeconds,
    pushes: [
      ...pushes,
      toPushRow(`the first push to each of ${active}, ${MANY} devices`, [first]),
      toPushRow(`random of all, which opens most of them, ${MANY} devices`, [opening]),
    ],
    states,
  };
}
