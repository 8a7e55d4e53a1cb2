import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { runTrellis, writeConfiguration } from "./start-trellis.ts";

/** This process, whose program has another name on another runtime. */
const HOLDER = new RegExp(`^[\\w.-]+ \\(process ${process.pid}, in .+\\)$`);

let fixture: CatalogFixture;
before(async () => {
  fixture = await createCatalogFixture({ releases: 3 });
});
after(() => fixture.remove());

test("a port in use is reported with what to do", async (t) => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  t.after(() => blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const config = await writeConfiguration(t, fixture.folder, {
    release: { smartDownload: { listen: { port } } },
  });
  for (const words of [[], ["--workers", "2"]]) {
    const running = runTrellis(t, ["serve", "--config", config, ...words]);
    assert.deepEqual(await running.ended, { code: 1, signal: null });
    const [reason = "", ...rest] = running.stderr().split("\n");
    const [start, end] = [
      `Cannot listen on 127.0.0.1:${port}: `,
      ' uses that port; stop it, or change "release.smartDownload.listen" in the configuration',
    ];
    assert.ok(reason.startsWith(start) && reason.endsWith(end), reason);
    const holder = reason.slice(start.length, -end.length);
    assert.match(holder, process.platform === "linux" ? HOLDER : /^another program,/);
    assert.equal(rest.filter((line) => line.includes("Cannot listen")).length, 0);
    assert.doesNotMatch(running.stderr(), /\n\s+at /);
    assert.doesNotMatch(running.stdout(), /ready/);
  }
});

test("a server that cannot listen leaves no backup behind", async (t) => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  t.after(() => blocker.close());
  const folder = await mkdtemp(join(tmpdir(), "trellis-start-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "trellis.config.json");
  const listen = { port: (blocker.address() as AddressInfo).port };
  const sync = { listen, backup: { to: "./backups" } };
  const events = { listen: { port: 0 }, backup: { to: "./backups" } };
  await writeFile(config, JSON.stringify({ dataDir: folder, sync, events }));
  const running = runTrellis(t, ["serve", "--config", config]);
  assert.deepEqual(await running.ended, { code: 1, signal: null });
  assert.match(running.stderr(), /^Cannot listen on /m);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes("backup")),
    [],
  );
});

test("an invalid catalogue is reported with all its errors, and exits 1", async (t) => {
  const broken = await createCatalogFixture({ releases: 2 });
  t.after(broken.remove);
  await writeFile(join(broken.folder, "releases", "1.0.1.json"), '{"version":');
  await rm(join(broken.folder, "keys.json"));
  const config = await writeConfiguration(t, broken.folder);
  const running = runTrellis(t, ["serve", "--config", config]);
  assert.deepEqual(await running.ended, { code: 1, signal: null });
  assert.match(running.stderr(), /^Cannot serve the catalogue ".*":\n/);
  assert.match(running.stderr(), /^ {2}releases\/1\.0\.1\.json is not valid JSON/m);
  assert.match(running.stderr(), /^ {2}keys\.json is missing; /m);
  assert.doesNotMatch(running.stderr(), /\n\s+at /);
  assert.equal(running.stdout(), "");
});

test("a store that cannot be opened is reported without a stack, and exits 1", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-start-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "trellis.config.json");
  await mkdir(join(folder, "sync.db"));
  const sync = { store: "sqlite:./sync.db", listen: { port: 0 } };
  await writeFile(config, JSON.stringify({ dataDir: folder, sync }));
  for (const command of ["serve", "sync status"]) {
    const running = runTrellis(t, [...command.split(" "), "--config", config]);
    assert.deepEqual(await running.ended, { code: 1, signal: null });
    assert.match(
      running.stderr(),
      /^The store is not available: .+; `trellis doctor` shows which store it is\n$/,
    );
  }
  const doctor = runTrellis(t, ["doctor", "--config", config]);
  assert.deepEqual(await doctor.ended, { code: 1, signal: null });
  assert.match(
    doctor.stdout(),
    /^ERROR +sync store: The store is not available: .+; check who may read and write \S+sync\.db and .+$/m,
  );
});

test("a data folder that cannot be read is reported with what to do", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-start-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "trellis.config.json");
  // A file in its place cannot be read as a folder by anyone, root included.
  await writeFile(config, JSON.stringify({ dataDir: config, sync: { listen: { port: 0 } } }));
  const running = runTrellis(t, ["serve", "--config", config]);
  assert.deepEqual(await running.ended, { code: 1, signal: null });
  assert.match(running.stderr(), /it cannot be read \(ENOTDIR\): .+ `dataDir`, or correct it$/m);
});

test("a wrong configuration is reported with all its errors, and exits 1", async (t) => {
  const config = await writeConfiguration(t, fixture.folder, {
    release: { baseUrl: "http://example.com", websiteDownloadUrl: "nowhere" },
  });
  const running = runTrellis(t, ["serve", "--config", config]);
  assert.deepEqual(await running.ended, { code: 1, signal: null });
  assert.match(running.stderr(), /^ {2}release\.baseUrl must be https/m);
  assert.match(running.stderr(), /^ {2}release\.websiteDownloadUrl must be/m);
});

test("an environment variable overrides the configuration file", async (t) => {
  const config = await writeConfiguration(t, "/no/such/catalogue");
  const running = runTrellis(t, ["serve", "--config", config], {
    env: { TRELLIS_RELEASE_CATALOG: fixture.folder, TRELLIS_RELEASE_ENVIRONMENT: "from-env" },
  });
  const line = await running.line((text) => text.startsWith('{"event":"ready"'));
  const { release } = JSON.parse(line) as { release: string };
  const health = (await (await fetch(`${release}/health`)).json()) as { environment: string };
  assert.equal(health.environment, "from-env");
  running.child.kill("SIGTERM");
  assert.equal((await running.ended).code, 0);
});
