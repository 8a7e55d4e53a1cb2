/** The commands of an operator beside a running server. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { countEvents } from "../../../src/events/maintenance/read-status.ts";
import { openEventsStore } from "../../../src/events/sql/open-store.ts";
import { typeAtTerminal } from "../../fixtures/type-at-terminal.ts";
import { readEvents } from "../service/journey.ts";
import { createPlace, testOnBothStores } from "../store/on-both-stores.ts";
import { writeCalendar } from "../subscriptions/calendar-text.ts";
import { createOperated } from "./instance.ts";
import { connectApp } from "./person.ts";
import {
  expectCheckedByPassphrase,
  expectNotAuthentic,
  expectUnauthenticated,
} from "../../database/expect-unauthenticated.ts";

const PASSWORD = "correct horse battery";
const ADA = { username: "ada", password: PASSWORD };

const CSV = ["id,type,title,date", "one,exam,Algebra,2031-05-04", "two,task,Read,2031-05-05", ""];

interface EventList {
  readonly events: readonly { readonly id: string; readonly title: string }[];
}

testOnBothStores("an operator's day, beside a running server", async (place, t) => {
  const instance = await createOperated(t, place);
  const refused = await instance.runApart(
    "account create --username ada --password-stdin",
    "short\n",
  );
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^The password is too short: use at least 12 characters\n$/);
  await (await openEventsStore(place.store, place.dataDir)).close();
  assert.match((await instance.run("status")).stdout, /Accounts +none: run `trellis events/);
  const nowhere = await instance.run(
    "account create --username ada --password-stdin --time-zone Europe/Atlantis",
    PASSWORD,
  );
  assert.match(nowhere.stderr, /The time zone is not known: give an IANA name/);
  const made = await instance.tell(
    "account create --username ada --password-stdin --time-zone Europe/Berlin",
    `${PASSWORD}\r\nmore`,
  );
  assert.deepEqual([made["username"], made["timeZone"]], ["ada", "Europe/Berlin"]);
  const twice = await instance.run("account create --username ada --password-stdin", PASSWORD);
  assert.match(twice.stderr, /The account "ada" already exists/);
  await instance.addAccount({ username: "eve", password: PASSWORD });
  const { accounts } = await instance.tell<{ accounts: { username: string; timeZone: string }[] }>(
    "account list",
  );
  assert.deepEqual(
    accounts.map(({ username, timeZone }) => [username, timeZone]),
    [
      ["ada", "Europe/Berlin"],
      ["eve", "UTC"],
    ],
  );

  const server = await instance.serve();
  await instance.file("exams.csv", CSV.join("\n"));
  const imported = await instance.tell("import exams.csv --account ada");
  assert.deepEqual([imported["added"], imported["format"]], [2, "csv"]);
  const token = await connectApp(server.createBrowser(), ADA, server.ask);
  const list = async () => {
    const response = await readEvents(server, token);
    assert.equal(response.status, 200);
    return ((await response.json()) as EventList).events.map(({ title }) => title);
  };
  assert.deepEqual(await list(), ["Algebra", "Read"]);
  await instance.file("exams.csv", CSV.join("\n").replace("Algebra", "Geometry"));
  await instance.tell("import exams.csv --account ada");
  assert.deepEqual(await list(), ["Geometry", "Read"]);

  assert.deepEqual(await instance.tell("grants list --account eve"), { grants: [] });
  const { grants } = await instance.tell<{ grants: { grantId: string; app: string }[] }>(
    "grants list",
  );
  assert.deepEqual(
    grants.map(({ app }) => app),
    ["Trellis demo app"],
  );
  assert.equal((await instance.run("grants revoke nothing")).code, 1);
  assert.equal((await instance.run("grants revoke")).code, 2);
  assert.equal((await instance.run("grants revoke --account ada")).code, 2);
  const unconfirmed = await instance.run(`grants revoke ${grants[0]?.grantId}`);
  assert.match(unconfirmed.stderr, /^This revokes the access of 1 app .+ add --yes to confirm$/m);
  const planned = await instance.tell("grants revoke --account ada --all --dry-run");
  assert.equal((planned["plan"] as { grants: unknown[] }).grants.length, 1);
  assert.equal((await readEvents(server, token)).status, 200);
  assert.deepEqual(await instance.tell(`grants revoke ${grants[0]?.grantId} --yes`), {
    revoked: 1,
  });
  assert.equal((await readEvents(server, token)).status, 401);
  const second = await connectApp(server.createBrowser(), ADA, server.ask);
  assert.deepEqual(await instance.tell("grants revoke --account ada --all --yes"), { revoked: 1 });
  assert.equal((await readEvents(server, second)).status, 401);

  const browser = server.createBrowser();
  const third = await connectApp(browser, ADA, server.ask);
  assert.equal((await browser.get("/account/apps")).status, 200);
  const change = "account password --username ada --password-stdin";
  const undecided = await instance.run(change, "another password entirely");
  assert.deepEqual([undecided.code, undecided.stdout], [1, ""]);
  assert.match(
    undecided.stderr,
    /^1 app may read the events of "ada": nothing was changed; add --revoke-apps .* or --keep-apps$/m,
  );
  assert.equal((await instance.run(`${change} --keep-apps --revoke-apps`, PASSWORD)).code, 2);
  assert.equal((await browser.get("/account/apps")).status, 200);
  const kept = await instance.run(`${change} --keep-apps`, PASSWORD);
  assert.match(kept.stdout, /^1 app can still read the events: revoke that with `trellis events/m);
  assert.equal((await readEvents(server, third)).status, 200);
  const changed = await instance.tell(`${change} --revoke-apps`, "another password entirely");
  assert.deepEqual([changed["revokedApps"], changed["keptApps"]], [1, 0]);
  assert.equal((await readEvents(server, third)).status, 401);
  assert.notEqual((await browser.get("/account/apps")).status, 200);
  await assert.rejects(connectApp(server.createBrowser(), ADA, server.ask));
  const none = await instance.tell(change, "another password entirely");
  assert.deepEqual([none["revokedApps"], none["keptApps"]], [0, 0]);

  const issued = await instance.tell("sign-in-link --account ada");
  const [address, link] = String(issued["url"]).split("#");
  assert.deepEqual([address, issued["username"]], ["http://localhost:4821/sign-in-link", "ada"]);
  assert.equal((await browser.postJson("/sign-in-link", { link })).status, 200);
  assert.equal((await instance.run("sign-in-link")).code, 2);
  const unknown = await instance.run("sign-in-link --account bob");
  assert.match(unknown.stderr, /There is no account "bob"/);

  const backup = await instance.tell("backup one.backup");
  assert.deepEqual(backup["events"], { live: 2, deleted: 0 });
  assert.match((await instance.run("backup one.backup")).stderr, /already a file/);
  assert.match(
    (await instance.run("verify one.backup")).stdout,
    /one\.backup is complete and authentic/,
  );
  assert.match((await instance.run("status")).stdout, /Last backup .+one\.backup$/m);
  const during = await instance.runApart("restore one.backup --yes");
  assert.equal(during.code, 1);
  assert.match(during.stderr, /^The store is in use: stop `trellis serve` .+ `trellis events`/);
  server.process.child.kill("SIGTERM");
  assert.equal((await server.process.ended).code, 0);

  const unsaid = await instance.runApart("restore one.backup");
  assert.equal(unsaid.code, 1);
  assert.match(unsaid.stderr, /^This restores 2 events of 2 accounts .+ add --yes to confirm$/m);
  const tried = await instance.run("restore one.backup --dry-run");
  assert.match(
    tried.stdout,
    /^This restores 2 events .+\nThis was a dry run: nothing was changed$/m,
  );
  const restored = await instance.tell("restore one.backup --yes");
  assert.deepEqual([restored["replacedAccounts"], restored["lockedOut"]], [2, []]);
  assert.ok((await stat(String(restored["keptAt"]))).size > 0);
});

test("on a terminal a new password asks what happens to the apps", async (t) => {
  const place = await createPlace(t, "SQLite");
  const instance = await createOperated(t, place);
  await instance.addAccount(ADA);
  const server = await instance.serve();
  const token = await connectApp(server.createBrowser(), ADA, server.ask);
  const change = (keys: string) =>
    typeAtTerminal(place.folder, "events account password --username ada".split(" "), [
      ["New password", PASSWORD],
      ["Repeat the password", PASSWORD],
      ["Revoke that access too?", keys],
    ]);
  const kept = await change("n");
  assert.equal(kept.code, 0, kept.output);
  assert.match(kept.output, /1 app can still read the events/);
  assert.equal((await readEvents(server, token)).status, 200);
  // Enter alone is the safe choice.
  const revoked = await change("");
  assert.match(revoked.output, /Revoked the access of 1 app/);
  assert.equal((await readEvents(server, token)).status, 401);
});

testOnBothStores("two servers on one store are one service", async (place, t) => {
  const instance = await createOperated(t, place);
  await instance.addAccount(ADA);
  const [one, other] = await Promise.all([instance.serve(), instance.serve()]);
  // Sign-in and consent at one process, the token request at the other.
  const token = await connectApp(one.createBrowser(), ADA, other.ask);
  await instance.file("list.csv", CSV.join("\n"));
  const { code } = await instance.runApart("import list.csv --account ada");
  assert.equal(code, 0);
  for (const server of [one, other]) {
    const { events } = (await (await readEvents(server, token)).json()) as EventList;
    assert.equal(events.length, 2);
  }
  await instance.tell("grants revoke --account ada --all --yes");
  for (const server of [one, other]) assert.equal((await readEvents(server, token)).status, 401);
  one.process.child.kill("SIGTERM");
  assert.equal((await one.process.ended).code, 0);
  assert.equal((await other.ask("/health")).status, 200);
});

test("a file is imported, and skipped entries are reported with their place", async (t) => {
  const instance = await createOperated(t, await createPlace(t, "SQLite"));
  await instance.addAccount(ADA);
  const absent = await instance.run("import a.csv --account ada");
  assert.match(absent.stderr, /^Nothing was imported from ".+a\.csv": there is no such file\n$/);
  await instance.file(
    "a.csv",
    "title;date;colour\nAlgebra;2031-05-04;red\nNever;2031-02-30;blue\n",
  );
  assert.match(
    (await instance.run("import a.csv --account eve")).stderr,
    /There is no account "eve"/,
  );
  const { code, stdout } = await instance.run("import a.csv --account ada --default-type chore");
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Imported "a\.csv" for "ada": 1 added, 0 changed, 0 deleted, 0 unchanged$/m,
  );
  assert.match(stdout, /^Unknown columns were ignored \(1: "colour"\)$/m);
  assert.match(stdout, /^Skipped 1 entry:\n {2}line 3.*: Its date does not exist/m);
  await instance.file("page.ics", "<!doctype html><title>Sign in</title>");
  const page = await instance.run("import page.ics --account ada");
  assert.equal(page.code, 1);
  assert.match(page.stderr, /This is a web page, not a calendar/);
  assert.equal((await instance.run("import a.csv --account ada --default-type ")).code, 2);
});

test("events missing from a file are deleted only with two confirmations", async (t) => {
  const instance = await createOperated(t, await createPlace(t, "SQLite"));
  await instance.addAccount(ADA);
  const entries = ["a", "b", "c"].map((uid) => ({ uid, start: "20310504" }));
  await instance.file("school.ics", writeCalendar(entries));
  const first = await instance.tell("import school.ics --account ada --dry-run");
  assert.deepEqual(first["plan"], { added: 3, changed: 0, deleted: 0, present: 0 });
  assert.deepEqual((await instance.tell("status"))["events"], { live: 0, deleted: 0 });
  await instance.tell("import school.ics --account ada");
  await instance.file("school.ics", writeCalendar(entries.slice(0, 1)));
  const kept = await instance.run("import school.ics --account ada");
  assert.match(kept.stdout, /0 deleted, 1 unchanged, 2 missing from the feed but kept/);
  const asked = await instance.run("import school.ics --account ada --replace");
  assert.equal(asked.code, 1);
  assert.match(
    asked.stderr,
    /^This deletes 2 of 3 events of "school\.ics": nothing was changed; add --yes to confirm\n$/,
  );
  assert.deepEqual((await instance.tell("status"))["events"], { live: 3, deleted: 0 });
  const planned = await instance.tell("import school.ics --account ada --replace --dry-run");
  assert.deepEqual(planned["plan"], { added: 0, changed: 0, deleted: 2, present: 3 });
  assert.deepEqual((await instance.tell("status"))["events"], { live: 3, deleted: 0 });
  const done = await instance.tell("import school.ics --account ada --replace --yes");
  assert.equal(done["deleted"], 2);
  const again = await instance.tell("import school.ics --account ada --replace");
  assert.deepEqual([again["deleted"], again["unchanged"]], [0, 1]);
  // Another source cannot take over an id.
  await instance.file("one.json", '[{"id":"same","type":"task","title":"x","date":"2031-01-01"}]');
  await instance.tell("import one.json --account ada");
  const taken = await instance.run("import one.json --account ada --source other");
  assert.match(
    taken.stdout,
    /Skipped 1 entry whose id belongs to an event of another source:\n {2}"same"/,
  );
});

test("a backup with its key is all that a new machine needs", async (t) => {
  const old = await createOperated(t, await createPlace(t, "SQLite"));
  await old.addAccount(ADA);
  await old.file("exams.csv", CSV.join("\n"));
  await old.tell("import exams.csv --account ada");
  await old.tell("backup with.backup --with-key --passphrase-stdin", "twelve letters");
  await old.tell("backup without.backup");
  const at = (name: string) => join(old.place.folder, name);
  await expectNotAuthentic(old, at("without.backup"));

  const fresh = await createOperated(t, await createPlace(t, "SQLite"));
  const wrong = await fresh.run(
    `restore ${at("with.backup")} --with-key --passphrase-stdin --yes`,
    "twelve wrong letters",
  );
  assert.match(wrong.stderr, /passphrase does not decrypt/);
  await expectCheckedByPassphrase(fresh, at("with.backup"), "twelve letters");
  const moved = await fresh.tell(
    `restore ${at("with.backup")} --with-key --passphrase-stdin --yes`,
    "twelve letters",
  );
  assert.deepEqual([moved["addedAccounts"], moved["lockedOut"], moved["keptAt"]], [1, [], null]);
  const server = await fresh.serve();
  const token = await connectApp(server.createBrowser(), ADA, server.ask);
  const { events } = (await (await readEvents(server, token)).json()) as EventList;
  assert.equal(events.length, 2);

  const bare = await createOperated(t, await createPlace(t, "SQLite"));
  await expectUnauthenticated(bare, at("without.backup"));
  const without = await bare.run(`restore ${at("without.backup")} --accept-unauthenticated --yes`);
  assert.match(without.stdout, /^The authenticity of the backup was not checked: .+ password of/m);
  assert.match(without.stdout, /"ada" are encrypted with another instance key: set a new password/);
});

testOnBothStores("an import that is killed is finished by the next one", async (place, t) => {
  const instance = await createOperated(t, place);
  await instance.addAccount(ADA);
  const rows = Array.from({ length: 8_000 }, (_, index) => `e${index},task,T${index},2031-05-04`);
  await instance.file("many.csv", ["id,type,title,date", ...rows, ""].join("\n"));
  const { database } = await place.open();
  let last = 0;
  for (let round = 0; round < 3; round++) {
    const { child, ending } = instance.startApart("import many.csv --account ada");
    // Until a part of it is written.
    while (child.exitCode === null && (await countEvents(database)).live === last) await wait(20);
    child.kill("SIGKILL");
    assert.equal((await ending).code, null, "The import was over before it could be killed");
    const { live } = await countEvents(database);
    assert.ok(live > last && live < rows.length, String(live));
    last = live;
  }
  const { added, unchanged, changed } = await instance.tell<Record<string, number>>(
    "import many.csv --account ada",
  );
  assert.deepEqual([added, unchanged, changed], [rows.length - last, last, 0]);
  assert.deepEqual(await countEvents(database), { live: rows.length, deleted: 0 });
});
