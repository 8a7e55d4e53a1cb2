/**
 * Many test files in one process: to start one for each, and to load the same modules again, takes longer
 * than most of their tests. A suite for each file keeps its hooks to its own tests.
 */
import { globSync, stat } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, describe } from "node:test";
import { stopPostgres } from "../database/start-postgres.ts";

/**
 * Files and folders of tests. Groups run beside each other, the files of one after another: those of a browser,
 * which mostly wait, have groups of their own.
 */
export const GROUPS = {
  "browser-apps": [
    "test/browser/first-minute.test.ts",
    "test/browser/habits-app.test.ts",
    "test/browser/sync-client.test.ts",
  ],
  "browser-owner": [
    "test/browser/login-page.test.ts",
    "test/browser/owner-page.test.ts",
    "test/browser/sign-in-link.test.ts",
    "test/browser/update-client.test.ts",
  ],
  "browser-pages": ["test/browser/download-page.test.ts", "test/browser/events-pages.test.ts"],
  client: ["test/client"],
  conformance: ["test/conformance"],
  database: ["test/database"],
  docs: ["test/cli", "test/deploy", "test/docs", "test/examples"],
  "events-operations": ["test/events/operations", "test/events/store"],
  "events-service": [
    "test/events/clients",
    "test/events/ingest",
    "test/events/service",
    "test/events/subscriptions",
  ],
  package: ["test/package"],
  release: ["test/release", "src/release"],
  service: ["test/service"],
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
    "src/http",
    "src/operate",
    "src/rules",
    "src/server",
    "src/sync",
    "src/web",
  ],
  stores: ["src/identity", "test/identity", "test/stores"],
  "sync-faults": ["test/sync/faults"],
  "sync-operations": ["test/sync/host", "test/sync/operations"],
  "sync-service": ["test/sync/protocol-page.test.ts", "test/sync/service", "test/sync/store"],
} as const satisfies Record<string, readonly string[]>;

export type Group = keyof typeof GROUPS;

/**
 * A thread of Node's pool may miss that there is work for it (glibc before 2.41, bug 25847), and a test
 * then waits for a file until the pool is asked for something else.
 */
const WAKE_MS = 5_000;

const require = createRequire(import.meta.url);
const PROJECT = join(import.meta.dirname, "../..");

export function findTests(place: string): string[] {
  if (place.endsWith(".test.ts")) return [place];
  return globSync(`${place}/**/*.test.ts`, { cwd: PROJECT }).sort();
}

export function importGroup(group: Group): void {
  const files = GROUPS[group].flatMap(findTests);
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
