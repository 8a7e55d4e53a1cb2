/** The servers that are measured, each on a store of its own with requests that clients often send. */
import { DAY_MS } from "../../src/contract/durations.ts";
import { createCatalogFixture } from "../../test/fixtures/catalog.ts";
import {
  createHome,
  fillHome,
  listRequest,
  SOURCE_ID,
  startEventsServer,
} from "../events/events-server.ts";
import { queryFrom } from "../events/list-scenarios.ts";
import { createSampleEvents } from "../events/sample-events.ts";
import { SQLITE as EVENTS_ON_SQLITE } from "../events/store-kinds.ts";
import type { RunningService } from "../processes.ts";
import { startReleaseServer } from "../release/release-server.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { createPushRequest } from "../sync/operations.ts";
import { SQLITE } from "../sync/store-kinds.ts";
import { createFilledStore, startSyncServer } from "../sync/sync-server.ts";

export interface ServeScenario {
  readonly name: string;
  /** How many requests a slice has. */
  readonly count: number;
  /** As many requests; no two pushes of a run are the same. */
  requests(count: number): Promise<readonly string[]>;
}

export interface MeasuredServer extends RunningService {
  readonly port: number;
  readonly scenarios: readonly ServeScenario[];
}

export interface MeasuredService {
  readonly name: string;
  /** `words` are further options of `trellis serve`. */
  start(words?: readonly string[]): Promise<MeasuredServer>;
}

const RELEASES = 10;
const OPERATIONS = 10_000;
const EVENTS = 1000;

export async function makeServices(benchmark: Benchmark): Promise<readonly MeasuredService[]> {
  return [await makeRelease(benchmark), makeSync(), makeEvents()];
}

export async function makeRelease({ defer }: Benchmark): Promise<MeasuredService> {
  const { folder, remove } = await createCatalogFixture({ releases: RELEASES });
  defer(remove);
  const get = (name: string, target: string) =>
    repeated(name, 1600, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return {
    name: "releases",
    async start(words) {
      return {
        ...(await startReleaseServer(folder, { role: "free", words })),
        scenarios: [
          get("latest release", "/api/v1/releases/latest"),
          get("update decision", "/api/v1/update/linux?version=1.0.0&build=1"),
        ],
      };
    },
  };
}

export function makeSync(): MeasuredService {
  let pushes = 0;
  return {
    name: "sync",
    async start(words) {
      // Each has a log of its own, which only its pushes lengthen.
      const store = await createFilledStore(SQLITE, OPERATIONS);
      const server = await startSyncServer(store, words);
      const { token } = server;
      return {
        ...server,
        async stop() {
          await server.stop();
          await store.remove();
        },
        scenarios: [
          {
            name: "push of 100",
            count: 64,
            requests: async (count) =>
              Array.from({ length: count }, () =>
                createPushRequest("serve", pushes++, { token }).toString(),
              ),
          },
          repeated(
            "pull of 500",
            160,
            `GET /v1/pull?limit=500 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
          ),
        ],
      };
    },
  };
}

function makeEvents(): MeasuredService {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const events = createSampleEvents(EVENTS, today, SOURCE_ID);
  return {
    name: "events",
    async start(words) {
      const home = await createHome(EVENTS_ON_SQLITE);
      await fillHome(home, events);
      const server = await startEventsServer(home, words);
      return {
        ...server,
        async stop() {
          await server.stop();
          await home.remove();
        },
        scenarios: [repeated("list of 500", 160, listRequest(server, queryFrom(null)))],
      };
    },
  };
}

function repeated(name: string, count: number, request: string): ServeScenario {
  return { name, count, requests: async (times) => new Array(times).fill(request) };
}
