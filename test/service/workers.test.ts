import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { openConnection } from "../fixtures/raw-connection.ts";
import { childrenOf } from "./children-of.ts";
import {
  runTrellis,
  serveTrellis,
  writeConfiguration,
  type TrellisProcess,
} from "./start-trellis.ts";

let fixture: CatalogFixture;
before(async () => {
  fixture = await createCatalogFixture({ releases: 3 });
});
after(() => fixture.remove());

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, "It did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isHealthy = async (api: string) => {
  const response = await fetch(`${api}/health`, { headers: { Connection: "close" } });
  return response.status === 200;
};

test(
  "two workers share the ports, a killed worker is replaced, and a signal stops all",
  { skip: process.platform !== "linux" && "only Linux lists the children of a process" },
  async (t) => {
    const config = await writeConfiguration(t, fixture.folder);
    const server = await serveTrellis(t, config, ["--workers", "2"]);
    const pid = server.child.pid ?? 0;
    const workers = await childrenOf(pid);
    assert.equal(workers.length, 2);
    assert.equal(await isHealthy(server.api), true);
    assert.equal((await fetch(server.smartDownload, { redirect: "manual" })).status, 302);

    const [victim = 0, other] = workers;
    process.kill(victim, "SIGKILL");
    // A connection that is handed to the worker at this moment is lost.
    await until(async () => !(await childrenOf(pid)).includes(victim));
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let round = 0; round < 10; round++) assert.equal(await isHealthy(server.api), true);
    await until(async () => {
      const now = await childrenOf(pid);
      return now.length === 2 && !now.includes(victim) && now.includes(other ?? 0);
    });
    assert.equal(await isHealthy(server.api), true);
    const replaced = await server.line((line) => line.startsWith('{"event":"worker_replaced"'));
    assert.equal((JSON.parse(replaced) as { attempts: number }).attempts, 1);
    const died = server
      .stdout()
      .split("\n")
      .filter((line) => line.startsWith('{"event":"worker_died"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      died.map(({ level, signal, exitCode }) => [level, signal, exitCode]),
      [["warn", "SIGKILL", null]],
    );

    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.deepEqual(await childrenOf(pid), []);
    await assert.rejects(openConnection(server.apiPort), { code: "ECONNREFUSED" });
    const lines = server.stdout().trimEnd().split("\n");
    assert.equal(lines.filter((line) => line.startsWith('{"event":"ready"')).length, 1);
    assert.ok(lines.at(-1)?.startsWith('{"event":"stopped"'));
  },
);

test("Ctrl+C, which signals every worker, still lets a request finish", async (t) => {
  const config = await writeConfiguration(t, fixture.folder);
  const server = await serveTrellis(t, config, ["--workers", "2"], { detached: true });
  const connection = await openConnection(server.apiPort);
  connection.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Rest:");
  await new Promise((resolve) => setTimeout(resolve, 150));
  // A terminal and systemd signal the whole process group.
  process.kill(-(server.child.pid ?? 0), "SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
  connection.send(" x\r\n\r\n");
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n/);
  assert.deepEqual(await server.ended, { code: 0, signal: null });
});

test("a second Ctrl+C ends the workers as well", async (t) => {
  const config = await writeConfiguration(t, fixture.folder);
  const server = await serveTrellis(t, config, ["--workers", "2"], { detached: true });
  const connection = await openConnection(server.apiPort);
  connection.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Rest:");
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (let round = 0; round < 2; round++) {
    process.kill(-(server.child.pid ?? 0), "SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.equal((await server.ended).code, 1);
  await connection.closed;
});

test("when the workers cannot start, the reason is printed once and without a stack", async (t) => {
  const config = await writeConfiguration(t, "/no/such/catalogue");
  const running = runTrellis(t, ["serve", "--config", config, "--workers", "2"]);
  assert.equal((await running.ended).code, 1);
  const printed = running.stderr().match(/Cannot serve the catalogue/g);
  assert.equal(printed?.length, 1, running.stderr());
  assert.doesNotMatch(running.stderr(), /\n\s+at /);
});

const LINUX = {
  skip: process.platform !== "linux" && "only Linux lists the children of a process",
};

/** Starts a server, and calls `visit` with its workers until it is ready or ends. */
async function startWatched(
  t: TestContext,
  visit: (workers: readonly number[]) => void,
): Promise<TrellisProcess> {
  const config = await writeConfiguration(t, fixture.folder);
  const running = runTrellis(t, ["serve", "--config", config, "--workers", "2"]);
  let isOver = false;
  const ready = running.line((line) => line.startsWith('{"event":"ready"'));
  const end = () => {
    isOver = true;
  };
  void ready.then(end, end);
  void running.ended.then(end, end);
  while (!isOver) {
    visit((await childrenOf(running.child.pid ?? 0)).sort((a, b) => a - b));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return running;
}

const countEvents = (running: TrellisProcess, event: string) =>
  running
    .stdout()
    .split("\n")
    .filter((line) => line.startsWith(`{"event":"${event}"`)).length;

for (const [which, index] of [
  ["a worker that was ready", 0],
  ["a worker that was not ready", 1],
] as const) {
  test(`${which} and dies before all are ready is replaced`, LINUX, async (t) => {
    let victim: number | undefined;
    const running = await startWatched(t, (workers) => {
      if (workers.length < 2 || victim !== undefined) return;
      victim = workers[index] ?? 0;
      process.kill(victim, "SIGKILL");
    });
    await until(async () => countEvents(running, "worker_replaced") === 1);
    assert.equal(countEvents(running, "worker_died"), 1);
    assert.equal(countEvents(running, "ready"), 1);
    const workers = await childrenOf(running.child.pid ?? 0);
    assert.equal(workers.length, 2);
    assert.ok(!workers.includes(victim ?? 0));
    running.child.kill("SIGTERM");
    assert.deepEqual(await running.ended, { code: 0, signal: null });
  });
}

test("a start whose workers die again and again is given up", LINUX, async (t) => {
  let first: number | undefined;
  const killed = new Set<number>();
  const running = await startWatched(t, (workers) => {
    if (workers.length < 2) return;
    first ??= workers[0];
    for (const worker of workers) {
      if (worker === first || killed.has(worker)) continue;
      killed.add(worker);
      process.kill(worker, "SIGKILL");
    }
  });
  assert.equal((await running.ended).code, 1);
  assert.equal(killed.size, 3);
  assert.equal(countEvents(running, "worker_died"), 3);
  assert.equal(countEvents(running, "ready"), 0);
  assert.match(running.stderr(), /^The workers could not start: they were ended by SIGKILL; /m);
  assert.doesNotMatch(running.stderr(), /\n\s+at /);
});
