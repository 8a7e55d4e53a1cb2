/** The runs in `bench/recorded`: the command of each, and the code that it measures. */

export interface RecordedBenchmark {
  /** The name of its file. */
  readonly name: string;
  /** The words after `npm run`. */
  readonly command: readonly string[];
  /**
   * The paths of what decides the figures: hot paths of the service, and how the benchmark measures them. Pages,
   * identity and texts are not among them. Tests and reports do not count.
   */
  readonly measures: readonly string[];
}

const POSTGRES = ["--", "--store", "postgres"];
const SERVER = ["src/http", "src/server/start.ts", "src/server/workers.ts", "bench/measure.ts"];
const SQLITE = ["src/database/*sqlite*", "src/database/*queue.ts", "src/database/rows.ts"];
const POSTGRESQL = [
  "src/database/*postgres*",
  "src/database/connection-pool.ts",
  "src/database/rows.ts",
];
const SYNC = [
  "src/rules/sync",
  "src/sync/changes",
  "src/sync/devices/access-tokens.ts",
  "src/sync/log",
  "src/sync/migrations",
  "src/sync/routes.ts",
  "src/sync/sql",
];
const EVENTS = [
  "src/events/import",
  "src/events/migrations",
  "src/events/oauth/grants.ts",
  "src/events/routes.ts",
  "src/events/sql",
  "src/rules/events/wire",
];
const RELEASE = ["src/release/catalog", "src/release/responses", "src/release/routes.ts"];
const HOST = [
  "src/hosting/admission",
  "src/hosting/open-instance*.ts",
  "src/hosting/route-requests.ts",
  "src/hosting/sync-host.ts",
];
const CLIENT = [
  "src/client/collections",
  "src/client/node",
  "src/client/sync",
  "src/client/transport",
  "src/rules/sync",
];

export const RECORDED_BENCHMARKS: readonly RecordedBenchmark[] = [
  {
    name: "release",
    command: ["bench:release"],
    measures: [...SERVER, ...RELEASE, "src/rules/release", "bench/release.ts", "bench/release"],
  },
  {
    name: "sync",
    command: ["bench:sync"],
    measures: [...SERVER, ...SQLITE, ...SYNC, "bench/sync.ts", "bench/sync"],
  },
  {
    name: "sync-postgres",
    command: ["bench:sync", ...POSTGRES],
    measures: [...SERVER, ...POSTGRESQL, ...SYNC, "bench/sync.ts", "bench/sync"],
  },
  {
    name: "events",
    command: ["bench:events"],
    measures: [...SERVER, ...SQLITE, ...EVENTS, "bench/events.ts", "bench/events"],
  },
  {
    name: "events-postgres",
    command: ["bench:events", ...POSTGRES],
    measures: [...SERVER, ...POSTGRESQL, ...EVENTS, "bench/events.ts", "bench/events"],
  },
  {
    name: "serve",
    command: ["bench:serve", "--", "--peers"],
    measures: [
      ...SERVER,
      ...SQLITE,
      ...SYNC,
      ...EVENTS,
      ...RELEASE,
      "bench/serve.ts",
      "bench/serve",
      "bench/client/peers/pouchdb-server.ts",
    ],
  },
  {
    name: "client",
    command: ["bench:client", "--", "--peers"],
    measures: [...CLIENT, "bench/client.ts", "bench/client", "bench/measure.ts"],
  },
  {
    name: "encryption",
    command: ["bench:encryption"],
    measures: [
      ...CLIENT,
      "src/client/encryption",
      "bench/encryption.ts",
      "bench/encryption",
      "bench/measure.ts",
    ],
  },
  {
    name: "host",
    command: ["bench:host"],
    measures: [
      ...SERVER,
      ...SQLITE,
      ...SYNC,
      ...HOST,
      "bench/host.ts",
      "bench/host/load.ts",
      "bench/host/make-instances.ts",
      "bench/host/measure-file-host.ts",
      "bench/host/push-scenarios.ts",
    ],
  },
  {
    name: "host-postgres",
    command: ["bench:host", ...POSTGRES],
    measures: [...SERVER, ...POSTGRESQL, ...SYNC, ...HOST, "bench/host.ts", "bench/host"],
  },
  {
    name: "attack",
    command: ["bench:attack"],
    measures: [
      ...SERVER,
      ...SQLITE,
      ...SYNC,
      ...HOST,
      "src/server/pace-strangers.ts",
      "bench/attack.ts",
      "bench/attack",
    ],
  },
];
