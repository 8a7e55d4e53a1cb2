/**
 * Runs the conformance of all services, the tests of starting and stopping, the commands of the guides
 * (publishing with keys, backups, restores, imports) and traces against another program than this Node with
 * the sources: the binary, or `npm run check:runtime -- bun dist/trellis.js`.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { existsSync } from "node:fs";

const ROOT = join(import.meta.dirname, "..");
const TESTS = [
  "test/conformance/release.test.ts",
  "test/conformance/sync.test.ts",
  "test/conformance/events.test.ts",
  "test/service/stop.test.ts",
  "test/service/workers.test.ts",
  "test/service/process-traces.test.ts",
  "test/docs/quick-starts.test.ts",
  "test/release/publishing/guide.test.ts",
  "test/sync/operations/guide.test.ts",
  "test/events/operations/guide.test.ts",
];

const words = process.argv.slice(2);
if (words.length === 0) throw new Error("Name a program, such as build/trellis");
// A path is made absolute, because the tests start the program in other folders.
const program = words.map((word) => (existsSync(word) ? resolve(word) : word)).join(" ");
const { status } = spawnSync(
  process.execPath,
  [
    "--test",
    "--test-concurrency=1",
    "--import=./test/fixtures/bundled-threads.ts",
    "--test-global-setup=test/fixtures/prepare-run.ts",
    ...TESTS,
  ],
  { cwd: ROOT, stdio: "inherit", env: { ...process.env, TEST_TRELLIS_PROGRAM: program } },
);
process.exitCode = status ?? 1;
