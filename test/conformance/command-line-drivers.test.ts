/** `trellis conformance … --client -- DRIVER`: real processes as drivers. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type DriverReport } from "../../conformance/index.ts";
import { RELEASE_DRIVER_CASES } from "../../conformance/release/driver/check-release-driver.ts";
import { SYNC_DRIVER_CASES } from "../../conformance/sync/driver/check-sync-driver.ts";
import { createNamedPipe } from "../fixtures/named-pipe.ts";
import { runConformance } from "./run-conformance.ts";

const driverOf = (service: string) => [
  process.execPath,
  join(import.meta.dirname, `drivers/${service}.ts`),
];

const PASSED = {
  release: ["genuine-manifest-is-taken", "changed-file-is-refused"],
  sync: ["sign-in-redeems-the-code"],
  events: ["actionable-events-become-habits", "code-is-redeemed"],
} as const;

describe("a client passes through a driver that is a process", () => {
  for (const [service, ids] of Object.entries(PASSED)) {
    test(service, async () => {
      const only = ids.flatMap((id) => ["--only", id]);
      const words = [service, "--client", "--json", ...only, "--", ...driverOf(service)];
      const { code, stdout } = await runConformance(words);
      const report = JSON.parse(stdout) as DriverReport;
      assert.deepEqual([code, report.passed, report.failed], [0, ids.length, 0], stdout);
      assert.equal(report.driver, driverOf(service).join(" "));
    });
  }
});

test("a driver that does the wrong thing: the task, what was expected, and exit code 1", async () => {
  const words = ["release", "--client", "--only", "standby-key-is-taken"];
  const script = `cat >&2; echo '{"kind":"up-to-date","state":{}}'`;
  const { code, stdout, stderr } = await runConformance([...words, "--", "sh", "-c", script]);
  assert.equal(code, 1);
  assert.match(stdout, /^Conformance of the client of sh -c .* to the release contract$/m);
  assert.match(stdout, /asked {5}a check of a manifest by the standby key$/m);
  assert.match(stdout, /got {7}\{"kind":"up-to-date"\}$/m);
  assert.match(stderr, /^1 of 1 tested requirements are broken$/m);
});

test("a driver with a result of another shape is told the member", async () => {
  const words = ["release", "--client", "--only", "standby-key-is-taken"];
  const script = `cat > /dev/null; echo '{"kind":"installed"}'`;
  const { stdout } = await runConformance([...words, "--", "sh", "-c", script]);
  assert.match(stdout, /got {7}\{"kind":"installed"\}, in which kind must be one of "up-to-/);
});

test("a driver that does not run is explained once", async () => {
  const ids = ["genuine-manifest-is-taken", "standby-key-is-taken"];
  const words = ["release", "--client", ...ids.flatMap((id) => ["--only", id])];
  const { code, stdout } = await runConformance([...words, "--", "./no-such-driver"]);
  assert.equal(code, 1);
  assert.equal(stdout.match(/it cannot be started: there is no such program/g)?.length, 1);
});

test("--list names the cases of clients, without a driver", async () => {
  const { code, stdout } = await runConformance(["release", "--client", "--list"]);
  assert.equal(code, 0);
  for (const { id } of RELEASE_DRIVER_CASES) assert.ok(stdout.includes(`${id}\n`), id);
  assert.ok(!stdout.includes("health-says-ok\n"));
});

test("sync lists the cases of the driver with one, and those of its own client without", async () => {
  const listed = await runConformance(["sync", "--client", "--list", "--", "./driver"]);
  for (const { id } of SYNC_DRIVER_CASES) assert.ok(listed.stdout.includes(`${id}\n`), id);
  const own = await runConformance(["sync", "--client", "--list"]);
  assert.ok(own.stdout.includes("client-signs-in\n"));
});

test("wrong arguments are usage errors with exit code 2", async () => {
  for (const [words, message] of [
    [["release", "--client"], /Missing the driver: `trellis conformance release --client -- PROG/],
    [["release", "--client", "--", ""], /Missing the driver/],
    [["release", "--", "./driver"], /A program behind -- is a driver: add --client/],
    [["release", "https://a.example", "--client", "--", "x"], /Give either URL or a driver/],
    [["sync", "--client"], /Missing argument URL/],
    [["sync", "--client", "--only", "x", "--", "x"], /sync --client --list -- DRIVER`/],
    [["release", "--client", "--only", "x", "--", "x"], /see `trellis conformance release --clie/],
  ] as const) {
    const { code, stderr } = await runConformance(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

test("an interrupted run ends its drivers", async (t) => {
  const pipe = await createNamedPipe(t);
  const program = join(import.meta.dirname, "../../src/cli/trellis.ts");
  const words = ["conformance", "release", "--client", "--only", "standby-key-is-taken"];
  const script = `echo started > "${pipe.path}"; exec sleep 600 > "${pipe.path}"`;
  const child = spawn(process.execPath, [program, ...words, "--", "sh", "-c", script], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await pipe.waitForWrite();
  child.kill("SIGINT");
  assert.deepEqual(await ended, [null, "SIGINT"]);
  await pipe.waitForEnd();
});
