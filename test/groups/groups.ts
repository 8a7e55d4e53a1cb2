/**
 * Many test files in one process: to start one for each, and to load the same modules again, takes longer
 * than most of their tests. A suite for each file keeps its hooks to its own tests.
 */
import { globSync, stat } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { after, describe } from "node:test";
import { stopPostgres } from "../database/start-postgres.ts";
import { startLoop, type Loop } from "./loop.ts";

/**
 * Files and folders of tests by loop and group; the longest place that has a file is its own. Groups run beside
 * each other, begun by name, the files of one after another: a long group with a late name leaves a core idle
 * at the end. A file with a `mainPath` is in both loops.
 */
export const GROUPS = {
  main: {
    browser: [
      "test/browser/download-page.test.ts",
      "test/browser/events-pages.test.ts",
      "test/browser/first-minute.test.ts",
      "test/browser/login-page.test.ts",
      "test/browser/sync-client.test.ts",
      "test/browser/update-client.test.ts",
    ],
    client: ["test/client", "test/examples"],
    conformance: ["test/conformance", "test/conformance/sync.test.ts"],
    database: ["test/database"],
    events: [
      "test/events/clients",
      "test/events/ingest",
      "test/events/service",
      "test/events/store",
      "test/events/subscriptions",
    ],
    http: ["src/http", "src/identity", "test/identity"],
    release: ["src/release", "test/release"],
    sources: [
      "conformance",
      "examples",
      "src/backup",
      "src/cli",
      "src/client",
      "src/configuration",
      "src/contract",
      "src/database",
      "src/events",
      "src/hosting",
      "src/operate",
      "src/rules",
      "src/server",
      "src/sync",
      "src/web",
    ],
    sync: ["test/sync/protocol-page.test.ts", "test/sync/service", "test/sync/store"],
  },
  all: {
    broken: [
      "test/client/sealed/hostile.test.ts",
      "test/client/sync/broken-storages.test.ts",
      "test/client/sync/hostile-keys.test.ts",
      "test/client/sync/hostile.test.ts",
      "test/conformance/broken-clients.test.ts",
      "test/conformance/broken-events-servers.test.ts",
      "test/conformance/broken-release-servers.test.ts",
      "test/conformance/broken-sync-servers.test.ts",
      "test/conformance/events-patience.test.ts",
      "test/conformance/sync-client.test.ts",
      "test/sync/store/broken-stores.test.ts",
    ],
    "browser-apps": ["test/browser/habits-app.test.ts", "test/browser/tasks-app.test.ts"],
    "browser-login": [
      "test/browser/login-page.test.ts",
      "test/browser/login-passkeys.test.ts",
      "test/browser/owner-page.test.ts",
      "test/browser/sign-in-link.test.ts",
      "test/browser/welcome.test.ts",
      "test/client/events/browser.test.ts",
    ],
    browsers: ["test/browser/other-browsers.test.ts"],
    "browser-pages": [
      "test/browser/docs-site.test.ts",
      "test/browser/download-page.test.ts",
      "test/browser/events-pages.test.ts",
      "test/browser/events-passkeys.test.ts",
      "test/browser/first-minute.test.ts",
    ],
    "command-lines": [
      "test/conformance/command-line-drivers.test.ts",
      "test/conformance/command-line-events.test.ts",
      "test/conformance/command-line-release.test.ts",
      "test/conformance/command-line-sync.test.ts",
      "test/conformance/sync.test.ts",
      "test/events/clients/oracle.test.ts",
    ],
    database: [
      "test/database/lease.test.ts",
      "test/database/plans",
      "test/database/pooler.test.ts",
      "test/database/postgres-servers.test.ts",
      "test/sync/store/pooled-contract.test.ts",
    ],
    docs: [
      "test/cli",
      "test/client/sync/add-sync-guide-types.test.ts",
      "test/client/sync/add-sync-guide.test.ts",
      "test/deploy",
      "test/docs",
      "test/release/publishing/guide.test.ts",
      "test/vectors",
    ],
    endurance: ["test/soak"],
    "events-operations": [
      "test/events/ingest/hostile-calendars.test.ts",
      "test/events/operations",
      "test/events/store/backup.test.ts",
      "test/events/subscriptions/import-file.test.ts",
    ],
    faults: ["test/sync/faults"],
    operations: ["test/sync/host", "test/sync/operations"],
    package: ["test/package"],
    processes: ["test/service"],
    publishing: [
      "src/release/publishing/identify/hostile-files.test.ts",
      "src/release/publishing/key-files.test.ts",
      "test/release/export/nginx.test.ts",
      "test/release/export/write-tree.test.ts",
      "test/release/publishing",
    ],
    simulation: [
      "test/client/simulation.test.ts",
      "test/client/sync/large-transactions.test.ts",
      "test/client/sync/killed-process.test.ts",
      "test/client/sync/killed.test.ts",
    ],
    stores: ["test/frozen", "test/stores"],
  },
} as const satisfies Record<Loop, Record<string, readonly string[]>>;

/**
 * A thread of Node's pool may miss that there is work for it (glibc before 2.41, bug 25847), and a test
 * then waits for a file until the pool is asked for something else.
 */
const WAKE_MS = 5_000;

const require = createRequire(import.meta.url);
const PROJECT = join(import.meta.dirname, "../..");

const PLACES = Object.values(GROUPS).flatMap((groups) => Object.values(groups).flat());

export const TESTS = globSync("{src,conformance,examples,test}/**/*.test.ts", { cwd: PROJECT })
  .filter((file) => !file.startsWith("test/groups/"))
  .sort();

/** The longest place that has the file. */
export function placeOf(file: string): string | undefined {
  return PLACES.filter((place) => file === place || file.startsWith(`${place}/`)).sort(
    (one, other) => other.length - one.length,
  )[0];
}

/** Runs the tests of a group in this process: that of `test/groups/<loop>/<group>.test.ts`. */
export function importGroup(path: string): void {
  const loop = basename(dirname(path)) as Loop;
  const groups: Record<string, readonly string[]> = GROUPS[loop];
  const places = groups[basename(path, ".test.ts")] ?? [];
  const files = TESTS.filter((file) => places.includes(placeOf(file) ?? ""));
  startLoop(loop);
  const unfinished = new Set(files);
  for (const file of files) {
    describe(file, () => {
      // Not `import`: tests of a module that is loaded later are registered outside the suite.
      require(join(PROJECT, file));
      after(async () => {
        await stopPostgres();
        unfinished.delete(file);
      });
    });
  }
  setInterval(() => stat(PROJECT, () => {}), WAKE_MS).unref();
  // Something that ends the process early must not pass for success.
  process.on("exit", () => {
    if (unfinished.size === 0) return;
    console.error(`The process ended before the tests of ${[...unfinished].join(", ")}`);
    process.exitCode = 1;
  });
}
