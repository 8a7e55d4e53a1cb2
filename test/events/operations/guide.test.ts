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
    const { output, blocks } = await runGuide(t, {
      page: "guides/feed-events.md",
      adapt: (text) =>
        text
          .replaceAll("localhost:4821", `localhost:${port}`)
          .replaceAll("https://school.example.com/", `https://localhost:${school.port}/`),
      env: {
        TRELLIS_EVENTS_LISTEN_PORT: String(port),
        TRELLIS_EVENTS_SUBSCRIPTIONS_ALLOWED_PRIVATE_HOSTS: "localhost",
        NODE_EXTRA_CA_CERTS: authority,
      },
    });
    assert.ok(blocks > 12);
    assert.match(output, /Created the account "ada" in the time zone Europe\/Berlin/);
    assert.match(output, /Imported "school\.ics" for "ada": 2 added/);
    assert.match(output, /Imported "exams\.csv" for "ada": 2 added/);
    assert.match(output, /Events +4 live, 0 deleted/);
    assert.match(output, /2 entries: 1 exam, 1 homework[\s\S]+nothing was imported/);
    assert.match(output, /"ada" is subscribed to "School"/);
    assert.match(output, /"School" of "ada": 0 added, 0 changed, 0 deleted, 2 unchanged/);
    assert.match(output, /Revoked the access of 0 apps/);
    assert.match(output, /"ada" has a new password/);
    assert.match(output, /with-key\.backup is complete and authentic/);
    assert.match(output, /"event":"stopped"/);
    assert.match(output, /Restored 8 events from/);
    assert.match(output, /no longer subscribed to "School"; 2 events deleted/);
  },
);
