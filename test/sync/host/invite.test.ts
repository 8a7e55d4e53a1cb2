/** Invitations and reset links on the command line: for one person, and for a class with an instance each. */
import assert from "node:assert/strict";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createServer } from "./instance-commands.ts";
import { createHostPlace } from "./serve-host.ts";

const WEEK_MS = 7 * 86_400_000;

const start = async (t: TestContext) =>
  createServer(t, await createHostPlace(t, "SQLite"), { baseUrl: "https://sync.example.com" });

test("one command adds thirty instances and prints their invitations as a table", async (t) => {
  const { run, ask } = await start(t);
  const { code, stdout, stderr } = await run("instance add pupil --invite --count 30 --csv");
  assert.equal(code, 0, stderr);
  const [heading, ...rows] = stdout.trimEnd().split("\n");
  assert.equal(heading, '"name","address","link","expires"');
  assert.equal(rows.length, 30);
  const links = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const [name = "", address, link = "", expires = ""] = JSON.parse(`[${row}]`) as string[];
    assert.equal(name, `pupil-${String(index + 1).padStart(2, "0")}`);
    assert.equal(address, `https://${name}.sync.example.com`);
    assert.match(link, new RegExp(`^https://${name}\\.sync\\.example\\.com/welcome#[\\w-]{43}$`));
    assert.match(expires, /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    assert.ok(Math.abs(Date.parse(expires) - Date.now() - WEEK_MS) < 600_000);
    links.add(link);
  }
  assert.equal(links.size, 30);
  assert.match(stderr, /^Each link works once, until .+ privately$/m);
  assert.doesNotMatch(stderr, /this machine/);
  const { links: listed } = await ask<{ links: object[] }>("account links --instance pupil-30");
  assert.equal(listed.length, 1);
  assert.ok(!JSON.stringify(listed).includes("#"));
  const all = await ask<{ links: { instance: string }[] }>("account links");
  assert.deepEqual(
    all.links.map(({ instance }) => instance),
    rows.map((row) => row.split('"')[1]),
  );
});

test("the same command again makes new links for those without an account", async (t) => {
  const { run, ask, fails, addAccount } = await start(t);
  const first = await run("instance add pupil --invite --count 2 --csv");
  await addAccount("pupil-01");
  const again = await run("instance add pupil --invite --count 3 --csv");
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(again.stdout.match(/(?<=^")pupil-\d+/gm), ["pupil-02", "pupil-03"]);
  assert.notEqual(again.stdout.split("\n")[1], first.stdout.split("\n")[2]);
  assert.match(again.stderr, /^1 earlier link of these names no longer works$/m);
  assert.match(again.stderr, /^These names already have an account and got no link: pupil-01$/m);
  const { links } = await ask<{ links: object[] }>("account links --instance pupil-02");
  assert.equal(links.length, 1);
  await fails("instance add pupil-01 --invite", /reset-link --instance pupil-01/);
  await fails("instance add pupil --count 2", /already an instance "pupil-01"/);
  // An invitation without a name keeps the one that it replaces.
  const kept = await ask<{ username: string }>("account create --invite --instance pupil-02");
  assert.equal(kept.username, "pupil-02");
});

test("an account that was created on an open instance is listed at once", async (t) => {
  const { ask, addAccount, dataDir } = await start(t);
  await ask("instance add ada --invite");
  await addAccount("ada");
  const lags = { devices: 0, furthest: 0, behind: [] };
  const counts = { devices: 0, bytes: 0, lastUsedAt: null, lags, keyCheck: null };
  // As a server wrote it before the person used the invitation.
  const usage = { writtenAt: Date.now(), isOpen: true, hasAccount: false, ...counts };
  await writeFile(join(dataDir, "instances", "ada", "usage.json"), JSON.stringify(usage));
  const { instances } = await ask<{ instances: { state: string; hasAccount: boolean }[] }>(
    "instance list",
  );
  assert.deepEqual([instances[0]?.state, instances[0]?.hasAccount], ["open", true]);
});

test("bad input is refused before anything is added", async (t) => {
  const { run, fails, dataDir } = await start(t);
  await fails("instance add pupil --csv --count 3", /--csv prints the links of --invite/);
  for (const count of ["0", "501", "x", "-1"]) {
    await fails(`instance add pupil --invite --count=${count}`, /--count must be a number from 1/);
  }
  await fails("instance add Pupil --invite --count 3", /lower-case letters/);
  await fails("instance add pupil --invite --adopt", /--adopt without --invite/);
  await fails(
    "instance add pupil --invite --count 3 --base-url https://one.example.com",
    /^Nothing was added: .+ has the host of the instance "pupil-01"/,
  );
  const both = await run("instance add pupil --invite --csv --json");
  assert.equal(both.code, 2);
  await assert.rejects(readdir(dataDir), { code: "ENOENT" });
  const place = await createHostPlace(t, "SQLite");
  const byAddress = await createServer(t, place, { baseUrl: "http://127.0.0.1:4811" });
  await byAddress.fails("instance add ada --invite", /Give the public address with --base-url/);
});

test("an invitation that cannot be made leaves no new instance, and those that were there", async (t) => {
  const { run, ask, dataDir } = await start(t);
  await ask("instance add pupil-01 --invite");
  // No mark can be written in the place of a folder.
  await mkdir(join(dataDir, "instances", "pupil-02", "sync.highwater"), { recursive: true });
  const failed = await run("instance add pupil --invite --count 2 --csv");
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  const { instances } = await ask<{ instances: { name: string }[] }>("instance list");
  assert.deepEqual(
    instances.map(({ name }) => name),
    ["pupil-01"],
  );
  const again = await run("instance add pupil --invite --count 2 --csv");
  assert.equal(again.code, 0, again.stderr);
});

test("an invitation leaves a store alone that was there before", async (t) => {
  const { ask, fails, addAccount, dataDir } = await start(t);
  await ask("instance add grace");
  await ask("instance add ada");
  await addAccount("ada");
  const folder = join(dataDir, "instances", "ada");
  // The list and the key of the instance are lost.
  await cp(folder, join(dataDir, "copy"), { recursive: true });
  await ask("instance remove ada --yes");
  await rename(join(dataDir, "copy"), folder);
  await rm(join(folder, "instance.key"));
  await fails("instance add ada --invite", /already a store of an instance "ada".*--adopt/);
  assert.ok((await readdir(folder)).includes("sync.db"));
  assert.equal((await ask<{ instances: object[] }>("instance list")).instances.length, 1);
});

test("an operator invites one person, replaces and revokes the link, and resets the password", async (t) => {
  const server = await start(t);
  const { run, ask, fails } = server;
  const added = await ask<{ invitation: { url: string; username: string } }>(
    "instance add ada --invite",
  );
  assert.match(added.invitation.url, /^https:\/\/ada\.sync\.example\.com\/welcome#/);
  assert.equal(added.invitation.username, "ada");
  const invited = await run("account create --invite --username grace --instance ada");
  assert.match(invited.stdout, /^https:\/\/ada\.sync\.example\.com\/welcome#[\w-]{43}\n\n/);
  assert.match(invited.stdout, /The previous link no longer works/);
  const list = () =>
    ask<{ links: { id: string; kind: string; username: string }[] }>(
      "account links --instance ada",
    );
  const [link] = (await list()).links;
  assert.deepEqual([link?.kind, link?.username], ["invitation", "grace"]);
  await fails("account revoke-link --instance ada", /Name one link by its id, or give --all/);
  await fails("account revoke-link nothing --instance ada", /no valid link "nothing"/);
  await ask(`account revoke-link ${link?.id} --instance ada`);
  assert.deepEqual(await list(), { links: [] });
  await fails("account reset-link --instance ada", /There is no account yet/);
  await fails(
    "account create --invite --password-stdin --instance ada",
    /Give --invite or --password-stdin, not both/,
  );
  await fails("account create --instance ada", /Give the name with --username, or create a link/);

  await server.addAccount("ada");
  await fails(
    "account create --invite --instance ada",
    /already has an account: .*account reset-link/,
  );
  const reset = await run("account reset-link --instance ada");
  assert.match(reset.stdout, /^https:\/\/ada\.sync\.example\.com\/welcome#[\w-]{43}\n\n/);
  assert.match(reset.stdout, /send it to "anna" privately.*signs out every device and browser/);
  assert.equal((await list()).links[0]?.kind, "reset");
  const second = await run("account reset-link --instance ada");
  assert.match(second.stdout, /passkeys\. The previous link no longer works/);
});
