/**
 * How fast the events service is, as ratios of one run: against the bare store reading the same rows,
 * and with many stored events against few. `--quick` takes fewer of the many, `--store postgres`
 * PostgreSQL instead of SQLite.
 */
import { DAY_MS } from "../src/contract/durations.ts";
import type { StoredEvent } from "../src/events/store.ts";
import type { BareResponse } from "./bare-server.ts";
import type { BareOrder } from "./events/bare-orders.ts";
import {
  addServer,
  createHome,
  fillHome,
  listRequest,
  SOURCE_ID,
  startEventsServer,
  type EventsServer,
} from "./events/events-server.ts";
import { bareOrder, LIST_SCENARIOS, LISTS, queryFrom } from "./events/list-scenarios.ts";
import { measureImports } from "./events/measure-import.ts";
import { createSampleEvents } from "./events/sample-events.ts";
import { SQLITE, startPostgresKind, type EventsStoreKind } from "./events/store-kinds.ts";
import { EVENTS_TARGETS, renderEventsReport, type EventsReport } from "./events/report-events.ts";
import {
  compare,
  measure,
  type Candidate,
  type Measured,
  type RoundCounts,
  type Slice,
} from "./measure.ts";
import { startWorker, type Worker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { readMemory, type ComparisonRow, type MemoryRow } from "./tables.ts";
import type { RequestOrder } from "./request-load.ts";

const IMPORTED = 20_000;
const WARMUP_ROUNDS = 12;
const TOKENS = 100;
const MANY = 16;
const PROCESSES = 3;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

await runBenchmark(measureEvents, renderEventsReport, ["sqlite", "postgres"]);

async function measureEvents(benchmark: Benchmark): Promise<EventsReport> {
  const { isQuick, defer, use, progress } = benchmark;
  const large = isQuick ? 100_000 : 1_000_000;
  const effort = { rounds: isQuick ? 7 : 11, warmupRounds: WARMUP_ROUNDS };
  const kind = benchmark.store === "postgres" ? await startPostgresKind() : SQLITE;
  defer(kind.close);
  const few = await makeStore(benchmark, kind, kind.small);
  const many = await makeStore(benchmark, kind, large);
  const load = use(startWorker<RequestOrder, Slice>("request-load.ts", kind.roles.load));
  const smallServer = use(await startEventsServer(few.home));
  const largeServer = use(await startEventsServer(many.home));
  const bare = use(startWorker<BareOrder, Slice>(kind.bareWorker, kind.roles.server));
  await bare.ask({
    kind: "open",
    store: few.home.store,
    accountId: few.home.accountId,
    plain: few.plain,
  });

  const memory: MemoryRow[] = [];
  const remember = (after: string) => memory.push(readMemory(after, largeServer.pid));
  remember("start");
  const againstBare: ComparisonRow[] = [];
  const againstSmall: ComparisonRow[] = [];
  for (const { name, moments } of LIST_SCENARIOS) {
    for (const connections of [1, MANY]) {
      const scenario = `${name}, ${connections === 1 ? "one client" : `${connections} clients`}`;
      progress(`Measuring ${scenario}`);
      const serverAt = (server: EventsServer, events: readonly StoredEvent[]) =>
        listsAt(load, server, connections, moments(events));
      const order = bareOrder(moments(few.events), TODAY);
      const [own, base, grown] = await measure(
        [
          serverAt(smallServer, few.events),
          { name: "bare", pid: bare.pid, run: () => bare.ask(order) },
          serverAt(largeServer, many.events),
        ],
        effort,
      );
      const { bare: target, flat } = EVENTS_TARGETS;
      againstBare.push({ scenario, target, comparison: compare(own, base) });
      againstSmall.push({ scenario, target: flat, comparison: compare(grown, own) });
      remember(scenario);
    }
  }
  const tokens = await measureTokens(benchmark, effort, load, largeServer, bare);
  remember("token exchange");

  const processes =
    benchmark.store === "postgres" ? await compareProcesses(benchmark, few, load, effort) : [];
  progress(`Importing a calendar of ${IMPORTED} entries, twice`);
  const home = await createHome(kind);
  defer(home.remove);
  return {
    bareDescription: kind.bareDescription,
    commitDescription: kind.commitDescription,
    hasOwnCores: kind.roles.server === "server",
    processes,
    small: kind.small,
    large,
    storeMegabytes: (await kind.size(many.home.store)) / 1e6,
    plainMegabytes: (await kind.size(many.plain)) / 1e6,
    againstBare,
    againstSmall,
    tokens,
    imports: await measureImports(home, IMPORTED, TODAY),
    memory,
  };
}

/** Lists at the moments in turn, with these clients. */
function listsAt(
  load: Worker<RequestOrder, Slice>,
  server: EventsServer,
  connections: number,
  moments: readonly (number | null)[],
  lists = LISTS,
): Candidate {
  const requests = moments.map((since) => listRequest(server, queryFrom(since)));
  const times = lists / requests.length;
  const { port, pid } = server;
  return { name: "lists", pid, run: () => load.ask({ port, connections, requests, times }) };
}

/** Several processes on one database are for failover and capacity: they must not cost speed. */
async function compareProcesses(
  { use, progress }: Benchmark,
  { home, events }: Awaited<ReturnType<typeof makeStore>>,
  load: Worker<RequestOrder, Slice>,
  effort: RoundCounts,
): Promise<ComparisonRow[]> {
  const start = async (...words: string[]) =>
    use(await startEventsServer(await addServer(home), words));
  // Both are new: a process that has served other lists before would have more of its code compiled.
  const several = await start("--workers", String(PROCESSES));
  const one = await start();
  const rows: ComparisonRow[] = [];
  for (const { name, moments } of LIST_SCENARIOS) {
    const scenario = `${name}, ${MANY} clients, ${PROCESSES} processes`;
    progress(`Measuring ${scenario}`);
    // The clients are divided between the processes, so a slice is long enough for several lists of each.
    const lists = (server: EventsServer) =>
      listsAt(load, server, MANY, moments(events), PROCESSES * LISTS);
    const [own, base] = await measure(
      [lists(several), lists(one)],
      // Each process compiles its own code, so the warm-up is longer.
      { ...effort, warmupRounds: 2 * effort.warmupRounds },
    );
    rows.push({ scenario, target: 1, comparison: compare(own, base) });
  }
  return rows;
}

async function measureTokens(
  { use, progress }: Benchmark,
  effort: RoundCounts,
  load: Worker<RequestOrder, Slice>,
  server: EventsServer,
  bare: Worker<BareOrder, Slice>,
): Promise<Measured[]> {
  progress("Measuring the exchange of codes for tokens");
  const plain = use(startWorker<readonly BareResponse[], number[]>("bare-server.ts", "server"));
  const text = JSON.stringify({ access_token: "x".repeat(50), token_type: "Bearer" });
  const headers = { "Content-Type": "application/json", "Content-Length": String(text.length) };
  const body = Buffer.from(text).toString("base64");
  const [port = 0] = await plain.ask([{ status: 200, headers, body, as: "string" }]);
  const exchange = (connections: number) => async () => {
    const requests = await server.createTokenRequests(TOKENS);
    return load.ask({ port: server.port, connections, requests, times: 1 });
  };
  const [request = ""] = await server.createTokenRequests(1);
  const respond = (connections: number) => () =>
    load.ask({ port, connections, requests: [request], times: TOKENS });
  return measure(
    [
      { name: "token exchange, one client", pid: server.pid, run: exchange(1) },
      { name: `token exchange, ${MANY} clients`, pid: server.pid, run: exchange(MANY) },
      { name: "bare response, one client", pid: plain.pid, run: respond(1) },
      { name: `bare response, ${MANY} clients`, pid: plain.pid, run: respond(MANY) },
      {
        name: "bare commit",
        pid: bare.pid,
        run: () => bare.ask({ kind: "commit", count: TOKENS }),
      },
    ],
    effort,
  );
}

async function makeStore({ defer, progress }: Benchmark, kind: EventsStoreKind, size: number) {
  progress(`Making stores of ${size} events`);
  const home = await createHome(kind);
  defer(home.remove);
  const events = createSampleEvents(size, TODAY, SOURCE_ID);
  await fillHome(home, events);
  return { home, plain: await kind.createPlain(home.folder, home.accountId, events), events };
}
