/** `trellis doctor` and the server that responds at a public address. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { serveHttps } from "../fixtures/serve-https.ts";
import { STORE_KINDS } from "../database/on-both-stores.ts";
import { createHostPlace } from "../sync/host/serve-host.ts";
import { runTrellis } from "./start-trellis.ts";

async function createConfiguration(t: TestContext, configuration: object) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-proof-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "trellis.config.json");
  await writeFile(path, JSON.stringify({ dataDir: join(folder, "data"), ...configuration }));
  return { folder, path };
}

/** Creates the instance key, too. */
async function createAccount(folder: string, ...options: readonly string[]): Promise<void> {
  const words = ["sync", "account", "create", "--username", "ada", "--password-stdin", ...options];
  const { code, stderr } = await runInside(folder, words, { input: "a long enough password" });
  assert.equal(code, 0, stderr);
}

/** The findings about public addresses, as their subject, level and message. */
async function diagnose(folder: string): Promise<string[]> {
  const { stdout } = await runInside(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
  return findings
    .filter(({ subject = "" }) => subject.endsWith("baseUrl"))
    .map(({ subject, level, message }) => `${subject} ${level}: ${message}`);
}

test("a running server proves that it has the key, and a copy with another key does not", async (t) => {
  const [sync, events] = [await freePort(), await freePort()];
  const configuration = {
    sync: { listen: { port: sync }, baseUrl: `http://127.0.0.1:${sync}` },
    events: { listen: { port: events }, baseUrl: `http://127.0.0.1:${events}` },
  };
  const own = await createConfiguration(t, configuration);
  const server = runTrellis(t, ["serve", "--config", own.path]);
  await server.line((text) => text.startsWith('{"event":"ready"'));
  assert.deepEqual(await diagnose(own.folder), [
    `sync.baseUrl ok: http://127.0.0.1:${sync}/v1/health is this server: it has the same instance key`,
    `events.baseUrl ok: http://127.0.0.1:${events}/health is this server: it has the same instance key`,
  ]);
  const copy = await createConfiguration(t, configuration);
  await createAccount(copy.folder);
  for (const finding of await diagnose(copy.folder)) {
    assert.match(finding, /baseUrl error: .+ is another server/);
  }
});

for (const kind of STORE_KINDS) {
  test(`each instance of a server with several proves its own key, in one line (${kind})`, async (t) => {
    const port = await freePort();
    const { store } = await createHostPlace(t, kind);
    const { folder, path } = await createConfiguration(t, {
      sync: {
        listen: { port },
        ...(store !== undefined && { store }),
        instances: {
          ada: { baseUrl: `http://127.0.0.1:${port}` },
          bob: { baseUrl: `http://localhost:${port}` },
        },
      },
    });
    for (const name of ["ada", "bob"]) await createAccount(folder, "--instance", name);
    const server = runTrellis(t, ["serve", "--config", path]);
    await server.line((text) => text.startsWith('{"event":"ready"'));
    assert.deepEqual(await diagnose(folder), [
      "instances, baseUrl ok: 2 public addresses lead to this server, which has the keys of their instances",
    ]);
    for (const name of ["ada", "bob"]) {
      const backup = ["sync", "backup", join(folder, `${name}.backup`), "--instance", name];
      assert.equal((await runInside(folder, backup)).code, 0);
    }
    const { stdout } = await runInside(folder, ["doctor"]);
    const healthy = stdout.split("\n").filter((line) => /sync|instances/.test(line));
    assert.equal(healthy.length, kind === "SQLite" ? 2 : 3, stdout);
  });
}

test("a certificate that is not trusted is told apart", async (t) => {
  const baseUrl = await serveHttps(t, (_request, response) => void response.end());
  const { folder } = await createConfiguration(t, { sync: { baseUrl } });
  const [finding = ""] = await diagnose(folder);
  assert.match(
    finding,
    /^sync\.baseUrl warning: https:.+ has a certificate that is not trusted on this machine/,
  );
});
