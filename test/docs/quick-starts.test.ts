/** Every command of every quick start, as written, in an empty folder; the German ones have the same. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { runGuide } from "../fixtures/run-guide.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/quick-starts");
const hasCurl = spawnSync("curl", ["--version"]).error === undefined;

/** This one needs the package and two browsers: test/package/quick-start.test.ts runs it. */
const PACKAGED = "add-sync-to-an-app.md";

/** What a reader sees at the end of each. */
const EXPECTED: Readonly<Record<string, readonly RegExp[]>> = {
  "publish-releases.md": [/is a valid manifest/],
  "run-your-own-sync.md": [/Created the account "ada"/, /first\.backup is complete and authentic/],
  "operate-a-server.md": [
    /\{"status":"ready","services":\{"sync":\{"status":"ready"\}\}\}/,
    /^ok +configuration/m,
    /Replaced 0 entities with 0 from/,
  ],
  "feed-a-school-calendar.md": [/Imported "exams\.csv" for "ada": 2 added/, /Events +2 live/],
};

const VARIABLES = {
  "4801": "TRELLIS_RELEASE_LISTEN_PORT",
  "4811": "TRELLIS_SYNC_LISTEN_PORT",
  "4821": "TRELLIS_EVENTS_LISTEN_PORT",
  "4890": "TRELLIS_OPERATOR_LISTEN_PORT",
};

const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".md") && name !== "index.md");

test("every quick start is run here, and has a German one with the same commands", async () => {
  assert.deepEqual(pages.sort(), [PACKAGED, ...Object.keys(EXPECTED)].sort());
  for (const page of [...pages, "index.md"]) {
    const english = await readBlocks(join(FOLDER, page));
    assert.ok(english.length > 0, page);
    assert.deepEqual(await readBlocks(join(FOLDER, "de", page)), english, page);
  }
});

async function readBlocks(page: string): Promise<string[]> {
  return [...(await readFile(page, "utf8")).matchAll(/^```.*?^```/gms)].map(([block]) => block);
}

/** Free ports for the addresses that the page names, in its text and in the configuration. */
async function choosePorts(page: string) {
  const text = await readFile(join(FOLDER, page), "utf8");
  const named = Object.entries(VARIABLES).filter(([port]) => text.includes(`:${port}`));
  const ports = await Promise.all(
    named.map(async ([port, variable]) => [port, variable, String(await freePort())] as const),
  );
  return {
    env: {
      ...Object.fromEntries(ports.map(([, variable, free]) => [variable, free])),
      // No page names it, but a release service listens there too.
      ...(text.includes(":4801") && {
        TRELLIS_RELEASE_SMART_DOWNLOAD_LISTEN_PORT: String(await freePort()),
      }),
    },
    adapt: (script: string) =>
      ports.reduce((adapted, [port, , free]) => adapted.replaceAll(`:${port}`, `:${free}`), script),
  };
}

for (const page of Object.keys(EXPECTED)) {
  test(`the commands of ${page} do what it says`, { skip: !hasCurl && "needs curl" }, async (t) => {
    const { adapt, env } = await choosePorts(page);
    const { code, stdout, stderr, blocks, begun } = await runGuide(
      t,
      `../quick-starts/${page}`,
      adapt,
      env,
    );
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.equal(begun, blocks);
    for (const expected of EXPECTED[page] ?? []) assert.match(stdout, expected);
  });
}
