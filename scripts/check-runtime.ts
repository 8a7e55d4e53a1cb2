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

// A path is made absolute, because the tests start the program in other folders.
const words = process.argv.slice(2).map((word) => (existsSync(word) ? resolve(word) : word));
const [command, ...parameters] = words;
if (command === undefined) throw new Error("Name a program, such as build/trellis");
// The tests would wait for the ports of a program that does not start.
const start = spawnSync(command, [...parameters, "--version"], { encoding: "utf8" });
if (start.status !== 0) {
  const reason = start.error?.message ?? start.stderr;
  throw new Error(`Cannot run ${words.join(" ")} --version: ${reason}`);
}
const { status } = spawnSync(
  process.execPath,
  [
    "--test",
    "--test-concurrency=1",
    "--import=./test/fixtures/bundled-threads.ts",
    "--test-global-setup=test/fixtures/prepare-run.ts",
    ...TESTS,
  ],
  { cwd: ROOT, stdio: "inherit", env: { ...process.env, TEST_TRELLIS_PROGRAM: words.join(" ") } },
);
process.exitCode = status ?? 1;
