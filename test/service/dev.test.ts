import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createMemorySyncStorage, createSyncClient } from "../../src/client/index.ts";
import { freePort } from "../fixtures/free-port.ts";
import { listenOnLocalhost } from "../fixtures/listen-on-localhost.ts";
import { createAccount } from "./create-account.ts";
import { runTrellis, type TrellisProcess } from "./start-trellis.ts";

interface Dev extends TrellisProcess {
  readonly sync: string;
  readonly link: string;
  readonly secret: string;
}

/** A folder for temporary files of the process, to see what it leaves there. */
async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-dev-test-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startDev(
  t: TestContext,
  folder: string,
  words: readonly string[] = [],
): Promise<Dev> {
  const running = runTrellis(t, ["dev", ...words], { env: { TMPDIR: folder } });
  await running.line((line) => line.includes("Press Ctrl+C"));
  const [link = "", sync = "", secret = ""] =
    /^ {2}(http:.+)$/m.exec(running.stdout())?.[1]?.match(/^(.+)\/dev#(.+)$/) ?? [];
  return { ...running, sync, link, secret };
}

async function stop({ child, ended }: TrellisProcess, signal: "SIGINT" | "SIGTERM" = "SIGINT") {
  child.kill(signal);
  assert.deepEqual(await ended, { code: 0, signal: null });
}

const foldersIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith("trellis-dev-"));

/** Sends the secret of the link as its page does; the cookie, or null. */
async function openLink({ sync }: Dev, secret: string): Promise<string | null> {
  const headers = { "Content-Type": "text/plain" };
  const response = await fetch(`${sync}/dev`, { method: "POST", headers, body: secret });
  return response.headers.get("set-cookie")?.split(";")[0] ?? null;
}

/** A new device, whose person has the cookie. */
async function signIn(t: TestContext, { sync }: Dev, cookie: string | null, redirectUri: string) {
  const client = await createSyncClient({
    baseUrl: sync,
    redirectUri,
    storage: createMemorySyncStorage(),
    profile: "open",
  });
  t.after(() => client.close());
  const begun = await client.beginSignIn();
  if (begun.kind !== "begun") return { client, status: begun.error.kind, result: null };
  const { url } = begun;
  const headers: HeadersInit = { Accept: "text/html", ...(cookie !== null && { Cookie: cookie }) };
  const page = await fetch(url, { redirect: "manual", headers });
  const location = page.headers.get("location");
  const result = location === null ? null : await client.completeSignIn(location);
  return { client, status: page.status, result };
}

const REDIRECT_URI = "http://localhost:5173/callback";

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} stops the server for development, which leaves nothing`, async (t) => {
    const folder = await createFolder(t);
    const dev = await startDev(t, folder, ["--profile", "sealed"]);
    assert.equal((await foldersIn(folder)).length, 1);
    const capabilities = await (await fetch(`${dev.sync}/v1/capabilities`)).text();
    assert.match(capabilities, /"profile":"sealed"/);
    assert.match(dev.stdout(), /The notes app that it opens .+ cannot sync here:\n/);
    await stop(dev, signal);
    assert.deepEqual(await foldersIn(folder), []);
    assert.equal(dev.stderr(), "");
    assert.match(dev.stdout(), /\nStopped and removed the data\n$/);
  });
}

test("the link signs a browser in to every app on this machine, as often as it is opened", async (t) => {
  const dev = await startDev(t, await createFolder(t));
  const cookie = await openLink(dev, dev.secret);
  const [one, other] = [
    await signIn(t, dev, cookie, REDIRECT_URI),
    await signIn(t, dev, await openLink(dev, dev.secret), "http://127.0.0.1:3000/sign-in/done"),
  ];
  for (const { status, result } of [one, other]) {
    assert.deepEqual([status, result?.kind], [302, "signed-in"]);
  }
  await one.client.create("note/1", { text: "Buy milk" });
  await one.client.sync();
  await other.client.sync();
  assert.deepEqual(other.client.entities.get("note/1")?.payload, { text: "Buy milk" });
  await stop(dev);
});

test("without the link, with a wrong one or for an app elsewhere there is no sign-in", async (t) => {
  const dev = await startDev(t, await createFolder(t));
  assert.equal(await openLink(dev, "a wrong secret"), null);
  assert.equal(await openLink(dev, `${dev.secret}x`), null);
  const forged = `trellis-dev-${new URL(dev.sync).port}=${dev.secret}`;
  for (const cookie of [null, forged]) {
    const { status, result } = await signIn(t, dev, cookie, REDIRECT_URI);
    // The sign-in page, which asks for the password.
    assert.deepEqual([status, result], [200, null]);
  }
  const cookie = await openLink(dev, dev.secret);
  const elsewhere = await signIn(t, dev, cookie, "https://app.example.com/callback");
  assert.deepEqual([elsewhere.status, elsewhere.result], ["redirect-not-listed", null]);
  await stop(dev);
});

test("a site that points its own name at the server gets nothing", async (t) => {
  const dev = await startDev(t, await createFolder(t));
  const statusAt = async (host: string, target: string) => {
    const { port } = new URL(dev.sync);
    const sent = request({ host: "127.0.0.1", port, path: target, headers: { Host: host } }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  for (const target of ["/notes/", "/dev", "/v1/capabilities"]) {
    const statuses = ["rebound.example", "localhost:1", "127.0.0.1", "10.0.2.2:4811"].map((host) =>
      statusAt(host, target),
    );
    assert.deepEqual(await Promise.all(statuses), [421, 200, 200, 200], target);
  }
  await stop(dev);
});

test("with --data the notes, the account and its link stay", async (t) => {
  const folder = await createFolder(t);
  const words = ["--data", join(folder, "data"), "--port", String(await freePort())];
  const first = await startDev(t, folder, words);
  const before = await signIn(t, first, await openLink(first, first.secret), REDIRECT_URI);
  await before.client.create("note/1", { text: "Buy milk" });
  await before.client.sync();
  await stop(first);
  assert.deepEqual(await foldersIn(folder), []);

  const second = await startDev(t, folder, words);
  assert.equal(second.link, first.link);
  const after = await signIn(t, second, await openLink(second, second.secret), REDIRECT_URI);
  await after.client.sync();
  assert.deepEqual(after.client.entities.get("note/1")?.payload, { text: "Buy milk" });
  await stop(second);
});

test("a taken port is an error with what to do when it was named", async (t) => {
  const folder = await createFolder(t);
  const { port } = new URL(await listenOnLocalhost(t, createServer()));
  const dev = runTrellis(t, ["dev", "--port", port], { env: { TMPDIR: folder } });
  assert.equal((await dev.ended).code, 1);
  assert.match(
    dev.stderr(),
    /^Port \d+ is taken by .*: stop it, or leave --port out for a free one\n$/,
  );
  assert.deepEqual(await foldersIn(folder), []);
});

test("the usual port is replaced by a free one when it is taken, and the output says so", async (t) => {
  const folder = await createFolder(t);
  const first = await startDev(t, folder);
  const second = await startDev(t, folder);
  assert.notEqual(first.sync, second.sync);
  // Another test may use the port now, and release it before the second server starts.
  for (const dev of [first, second]) {
    const { port } = new URL(dev.sync);
    const told = /^Port 4811 is taken(?: by .*)?, so (\d+) is used\n/.exec(dev.stdout())?.[1];
    assert.equal(told, port === "4811" ? undefined : port);
    assert.equal((await fetch(`${dev.sync}/v1/health`)).status, 200);
  }
  for (const dev of [first, second]) await stop(dev);
});

test("a folder that cannot be used is refused, and so is the data of another server", async (t) => {
  const folder = await createFolder(t);
  const refuse = async (...words: string[]) => {
    const dev = runTrellis(t, ["dev", ...words]);
    assert.notEqual((await dev.ended).code, 0);
    assert.doesNotMatch(dev.stderr(), /\n\s+at /);
    return dev.stderr();
  };
  await writeFile(join(folder, "file"), "");
  assert.match(await refuse("--data", join(folder, "file")), /its folder is a file; name another/);
  assert.match(await refuse("--port", "65536"), /--port must be 1 to 65535, not "65536"/);

  await writeFile(
    join(folder, "trellis.config.json"),
    JSON.stringify({ dataDir: join(folder, "ours"), sync: {} }),
  );
  await createAccount(folder, "sync", { username: "ada", password: "correct horse battery" });
  assert.match(
    await refuse("--data", join(folder, "ours")),
    /account "ada", which trellis dev did/,
  );
  assert.ok(existsSync(join(folder, "ours/sync.db")));
});

test("under --json the server for development prints one object", async (t) => {
  const dev = runTrellis(t, ["dev", "--json"]);
  await dev.line((line) => line === "}");
  const { sync, link, notes, account } = JSON.parse(dev.stdout()) as Record<string, unknown>;
  assert.ok(String(link).startsWith(`${String(sync)}/dev#`));
  assert.equal(String(link).split("#")[1], (account as { password: string }).password);
  assert.match(await (await fetch(String(notes))).text(), /<title>Notes<\/title>/);
  await stop(dev);
});
