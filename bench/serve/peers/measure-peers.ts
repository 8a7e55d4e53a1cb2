/** Servers of others with the load that Trellis gets, all in turns. */
import type { BareResponse } from "../../bare-server.ts";
import {
  compareRates,
  measure,
  median,
  quantile,
  warmUp,
  type Candidate,
  type Ratio,
} from "../../measure.ts";
import { residentMegabytes, type Worker } from "../../processes.ts";
import { record } from "../../release/record-response.ts";
import type { Benchmark } from "../../run-benchmark.ts";
import { makeRelease, makeSync } from "../measured-servers.ts";
import type { ServeOrder, ServeResult } from "../serve-load-worker.ts";
import { createPushes, LOG_SERVERS } from "./log-servers.ts";
import { LATEST, releaseServers, startNginx } from "./release-servers.ts";
import { startPeers, type PeerServer } from "./start-peers.ts";

export interface PeerServerRow {
  readonly name: string;
  readonly does: string;
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p99: number;
  /** Of Trellis to this server. */
  readonly ratio: Ratio;
  readonly residentMegabytes: number;
}

/** The first row of each is Trellis. */
export interface PeersReport {
  readonly connections: number;
  readonly pushes: readonly PeerServerRow[];
  readonly pages: readonly PeerServerRow[];
  readonly releases: readonly PeerServerRow[];
  readonly missing: readonly string[];
}

interface Asked extends PeerServer {
  readonly name: string;
  readonly does: string;
  /** The requests of a slice. */
  requests(): readonly string[] | Promise<readonly string[]>;
}

type Load = Worker<ServeOrder, ServeResult>;

const CONNECTIONS = 16;
const PUSHES_OF_PAGE = 5;
const RELEASE_REQUESTS = 1600;

export async function measurePeerServers(benchmark: Benchmark, load: Load): Promise<PeersReport> {
  const { missing, ...logs } = await measureLogs(benchmark, load);
  const releases = await measureReleases(benchmark, load);
  return {
    connections: CONNECTIONS,
    ...logs,
    releases: releases.rows,
    missing: [...missing, ...releases.missing],
  };
}

async function measureLogs(benchmark: Benchmark, load: Load) {
  const { started, missing } = await startPeers(benchmark, LOG_SERVERS);
  const trellis = benchmark.use(await makeSync().start());
  const [push, pull] = trellis.scenarios;
  const own = { ...trellis, name: "Trellis on SQLite" };
  const pushes: Asked[] = [
    {
      ...own,
      does: "checks the token, validates and merges each, waits for the disk",
      requests: () => push?.requests(push.count) ?? [],
    },
  ];
  const pages: Asked[] = [
    { ...own, does: "accepted operations", requests: () => pull?.requests(pull.count) ?? [] },
  ];
  for (const log of started) {
    const create = createPushes(log);
    const { port, count } = log;
    const filling = create(log.fillPath, PUSHES_OF_PAGE);
    await load.ask({ kind: "send", port, connections: 1, requests: filling, times: 1 });
    const page = `GET ${log.pagePath} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    pushes.push({ ...log, does: log.onPush, requests: () => create(log.pushPath, count) });
    pages.push({ ...log, does: log.onPage, requests: () => new Array(count).fill(page) });
  }
  benchmark.progress("Measuring pushes to logs of others");
  const pushRows = await compareInTurns(benchmark, load, pushes);
  benchmark.progress("Measuring pages of logs of others");
  return { pushes: pushRows, pages: await compareInTurns(benchmark, load, pages), missing };
}

async function measureReleases(benchmark: Benchmark, load: Load) {
  const own = benchmark.use(await (await makeRelease(benchmark)).start());
  const scenario = { name: "latest release", target: LATEST, status: 200 };
  const { request, response } = await record(own, scenario);
  const release: BareResponse = { ...response, as: "string" };
  const { started, missing } = await startPeers(benchmark, releaseServers(release));
  const nginx = await startNginx(benchmark, release);
  const requests = () => new Array<string>(RELEASE_REQUESTS).fill(request);
  const servers: Asked[] = [
    { ...own, name: "Trellis", does: "all routes of a catalogue", requests },
    ...started.map((peer) => ({ ...peer, does: peer.serves, requests })),
  ];
  if (nginx === null) missing.push("nginx was not measured: it is not installed");
  else servers.push({ ...nginx, name: "nginx", does: "a file with the same body", requests });
  benchmark.progress("Measuring servers of releases");
  return { rows: await compareInTurns(benchmark, load, servers), missing };
}

async function compareInTurns(
  { isQuick }: Benchmark,
  load: Load,
  servers: readonly Asked[],
): Promise<PeerServerRow[]> {
  const latencies = servers.map((): number[] => []);
  const candidates = servers.map(({ name, pid, port, requests }, index): Candidate => ({
    name,
    pid,
    async run() {
      const order = { kind: "send", port, connections: CONNECTIONS, times: 1 } as const;
      const result = await load.ask({ ...order, requests: await requests() });
      latencies[index]?.push(...result.latencies);
      return result;
    },
  }));
  const [rounds, warmupRounds] = isQuick ? [5, 4] : [20, 12];
  await warmUp(candidates, { rounds, warmupRounds });
  for (const times of latencies) times.length = 0;
  const measured = await measure(candidates, { rounds, warmupRounds: 0 });
  const own = measured[0]?.rates ?? [];
  return servers.map(({ name, does, pid }, index) => {
    const { rates = [], cpuMicroseconds = Number.NaN } = measured[index] ?? {};
    const times = latencies[index]?.toSorted((a, b) => a - b) ?? [];
    return {
      name,
      does,
      perSecond: median(rates),
      cpuMicroseconds,
      p99: quantile(times, 0.99),
      ratio: compareRates(own, rates),
      residentMegabytes: residentMegabytes(pid).now,
    };
  });
}
