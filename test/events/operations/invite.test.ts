/** Invitations and reset links of the events service on the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace } from "../store/on-both-stores.ts";
import { createOperated } from "./instance.ts";

test("an operator invites a class, lists and revokes links, and makes a reset link", async (t) => {
  const place = await createPlace(t, "SQLite");
  const instance = await createOperated(t, place);
  const { run, tell } = instance;
  const table = await run("account invite --username pupil --count 30 --csv");
  assert.match(table.stderr, /^The link opens only on this machine: set `baseUrl`/m);
  const rows = table.stdout.trimEnd().split("\n");
  assert.equal(rows.length, 31);
  assert.match(
    rows[30] ?? "",
    /^"pupil-30","http:\/\/localhost:4821","http:.+#[\w-]{43}","2\d{3}-/,
  );
  const list = () => tell<{ links: { id: string; username: string | null }[] }>("account links");
  assert.equal((await list()).links.length, 30);
  // The same command again replaces the links of those names.
  const again = await run("account invite --username pupil --count 30 --csv");
  assert.match(again.stderr, /^30 earlier links of these names no longer work$/m);
  assert.equal((await list()).links.length, 30);
  assert.equal((await tell<{ revoked: object[] }>("account revoke-link --all")).revoked.length, 30);

  const quoted = await run('account invite --username "=a","b" --count 1 --csv');
  assert.match(quoted.stdout, /^"""=a"",""b""-01","http/m);
  for (const name of ["=1+1", "＝1+1", "@a;=1+1"]) {
    const formula = await run(`account invite --username ${name} --csv`);
    assert.ok(formula.stdout.includes(`\n"'${name}","http`), formula.stdout);
  }
  await tell("account revoke-link --all");

  const one = await tell("account invite --time-zone Europe/Berlin");
  assert.equal(one["username"], null);
  const wrong = await run("account invite --time-zone Nowhere");
  assert.match(wrong.stderr, /The time zone is not known/);
  assert.equal((await run("account invite --csv --json")).code, 2);
  assert.equal((await list()).links.length, 1);

  await instance.addAccount({ username: "ada", password: "correct horse battery" });
  const taken = await run("account invite --username ada");
  assert.match(taken.stderr, /"ada" already exists: .*account reset-link/);
  await instance.addAccount({ username: "pupil-02", password: "correct horse battery" });
  const inBatch = await run("account invite --username pupil --count 30 --csv");
  assert.match(inBatch.stderr, /^These names already have an account and got no link: pupil-02$/m);
  assert.equal(inBatch.stdout.trimEnd().split("\n").length, 30);
  assert.equal((await list()).links.length, 30);
  const allTaken = await run("account invite --username pupil-02 --csv");
  assert.match(allTaken.stderr, /"pupil-02" already exists: /);
  await run("account create --username pupil-03 --password-stdin", "correct horse battery");
  assert.ok(!(await list()).links.some(({ username }) => username === "pupil-03"));
  const reset = await run("account reset-link --username ada");
  assert.match(reset.stdout, /send it to "ada" privately\. Using it signs out every browser/);
  const both = await run("account reset-link --username ada --keep-apps --revoke-apps");
  assert.equal(both.code, 2);
  assert.match((await run("account reset-link --username bob")).stderr, /no account "bob"/);

  const store = await place.open();
  await store.database.transaction((tx) =>
    tx.query(`INSERT INTO identity_passkeys
        (instance, credential_id, account_id, public_key, counter, name, created_at)
      SELECT instance, 'AAAA', account_id, 'AAAA', 0, 'Phone', 0 FROM identity_accounts WHERE username = 'ada'`),
  );
  const words = "account password --username ada --password-stdin";
  const kept = await run(`${words} --keep-passkeys`, "another password entirely");
  assert.doesNotMatch(kept.stdout, /passkey/);
  const changed = await run(words, "another password entirely");
  assert.match(changed.stdout, /^Removed 1 passkey$/m);
  assert.match((await run(words, "")).stderr, /There is no password on standard input/);
});
