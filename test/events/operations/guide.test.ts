/** Runs every command of the guide in an empty folder. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../fixtures/free-port.ts";
import { runGuide } from "../../fixtures/run-guide.ts";
import { writeCalendar } from "../subscriptions/calendar-text.ts";
import { serveFeed } from "../subscriptions/https-server.ts";

const hasCurl = spawnSync("curl", ["--version"]).error === undefined;

test(
  "the commands of the guide start an events server with a school's calendar",
  { skip: !hasCurl && "needs curl" },
  async (t) => {
    const port = await freePort();
    const entries = [
      { uid: "a", start: "20310504", summary: "Schulaufgabe Latein" },
      { uid: "b", start: "20310511", summary: "Homework: essay" },
    ];
    const school = await serveFeed(t, (_request, response) => {
      response.end(writeCalendar(entries));
    });
    const folder = await mkdtemp(join(tmpdir(), "trellis-authority-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const authority = join(folder, "authority.pem");
    await writeFile(authority, school.certificate);
    const { code, stdout, stderr, blocks, begun } = await runGuide(
      t,
      "feed-events.md",
      (script) =>
        script
          .replaceAll("localhost:4821", `localhost:${port}`)
          .replaceAll("https://school.example.com/", `https://localhost:${school.port}/`),
      {
        TRELLIS_EVENTS_LISTEN_PORT: String(port),
        TRELLIS_EVENTS_SUBSCRIPTIONS_ALLOWED_PRIVATE_HOSTS: "localhost",
        NODE_EXTRA_CA_CERTS: authority,
      },
    );
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.ok(blocks > 12);
    assert.equal(begun, blocks);
    assert.match(stdout, /Created the account "ada" in the time zone Europe\/Berlin/);
    assert.match(stdout, /Imported "school\.ics" for "ada": 2 added/);
    assert.match(stdout, /Imported "exams\.csv" for "ada": 2 added/);
    assert.match(stdout, /Events +4 live, 0 deleted/);
    assert.match(stdout, /2 entries: 1 exam, 1 homework[\s\S]+nothing was imported/);
    assert.match(stdout, /"ada" is subscribed to "School"/);
    assert.match(stdout, /"School" of "ada": 0 added, 0 changed, 0 deleted, 2 unchanged/);
    assert.match(stdout, /Revoked the access of 0 apps/);
    assert.match(stdout, /"ada" has a new password/);
    assert.match(stdout, /with-key\.backup is complete and authentic/);
    assert.match(stdout, /"event":"stopped"/);
    assert.match(stdout, /Restored 8 events from/);
    assert.match(stdout, /no longer subscribed to "School"; 2 events deleted/);
  },
);
