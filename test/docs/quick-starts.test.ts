/**
 * Every command of every quick start, as printed, in an empty folder and beside a running demo; the German ones have
 * the same.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DEMO_PORTS } from "../../examples/demo/demo-settings.ts";
import { checkConfiguration, enableOperator } from "../../src/configuration/configuration.ts";
import { listListeners } from "../../src/configuration/list-listeners.ts";
import { freePorts } from "../fixtures/free-port.ts";
import { runGuide, type GuideSettings } from "../fixtures/run-guide.ts";
import { PROGRAM } from "../fixtures/trellis-program.ts";
import { startDemo, type TrellisProcess } from "../service/start-trellis.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/quick-starts");

/** This one needs the package and two browsers: test/package/quick-start.test.ts runs it. */
const PACKAGED = "add-sync-to-an-app.md";

const OPERATED = "operate-a-server.md";

/** What a reader sees at the end of each. */
const EXPECTED: Readonly<Record<string, readonly RegExp[]>> = {
  "publish-releases.md": [/is a valid manifest/],
  "run-your-own-sync.md": [/Created the account "ada"/, /first\.backup is complete and authentic/],
  [OPERATED]: [
    /\{"status":"ready","services":\{"events":\{"status":"ready"\}\}\}/,
    /ok +events\.baseUrl: https:\S+ is this server/,
    /Restored 2 events from/,
    /Events +2 live/,
  ],
  "feed-a-school-calendar.md": [/Imported "exams\.csv" for "ada": 2 added/, /Events +2 live/],
};

const VARIABLES = {
  "4801": "TRELLIS_RELEASE_LISTEN_PORT",
  "4811": "TRELLIS_SYNC_LISTEN_PORT",
  "4821": "TRELLIS_EVENTS_LISTEN_PORT",
  "4890": "TRELLIS_OPERATOR_LISTEN_PORT",
  // Caddy's, which no variable sets.
  "8443": "_",
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

// The pages name the usual ports, which these tests change because other tests may have them.
test("the demo has none of the ports of a service, nor one that a quick start names", async () => {
  const settings = checkConfiguration({ release: {}, sync: {}, events: {} }, "of this test");
  const usual = listListeners(enableOperator({ ...settings, file: null }));
  const own = Object.values<number>(DEMO_PORTS);
  for (const { key, listen } of usual) assert.ok(!own.includes(listen.port), key);
  for (const page of pages) {
    const text = await readFile(join(FOLDER, page), "utf8");
    for (const port of own) assert.doesNotMatch(text, new RegExp(`\\b${port}\\b`), page);
  }
});

let demo: TrellisProcess;
before(async () => {
  demo = await startDemo({ after: () => {} }, ["--headless"]);
});
after(async () => {
  demo.child.kill("SIGINT");
  await demo.ended;
});

async function readBlocks(page: string): Promise<string[]> {
  return findBlocks(await readFile(page, "utf8"));
}

function findBlocks(text: string): string[] {
  return [...text.matchAll(/^```.*?^```/gms)].map(([block]) => block);
}

/** Free ports for the addresses that the page names, in its text and in the configuration. */
async function choosePorts(page: string) {
  const text = await readFile(join(FOLDER, page), "utf8");
  const named = Object.entries(VARIABLES).filter(([port]) => text.includes(`:${port}`));
  const free = await freePorts(named.length + 1);
  const ports = named.map(([port, variable], index) => [port, variable, free[index]] as const);
  return {
    free,
    env: {
      ...Object.fromEntries(ports.map(([, variable, port]) => [variable, String(port)])),
      // No page names it, but a release service listens there too.
      ...(text.includes(":4801") && {
        TRELLIS_RELEASE_SMART_DOWNLOAD_LISTEN_PORT: String(free.at(-1)),
      }),
    },
    adapt: (script: string) =>
      ports.reduce((adapted, [port, , own]) => adapted.replaceAll(`:${port}`, `:${own}`), script),
  };
}

interface Reader extends Partial<GuideSettings> {
  readonly how: string;
  readonly pages: readonly string[];
}

/** The printed way is tried with each page, a function with one that starts and stops a server. */
const ONE_PAGE = "run-your-own-sync.md";

/** The ways in which a reader may have `trellis`, each in another shell. The guides are run with a program. */
function listReaders(): readonly Reader[] {
  const program = { how: "a program", shell: ["sh", "-i"], pages: Object.keys(EXPECTED) };
  // Another runtime, or the one file, is tested as a program alone.
  if (process.env[PROGRAM] !== undefined) return [program];
  const [printed = ""] = findBlocks(readFileSync(join(FOLDER, "index.md"), "utf8"));
  const alias = printed.replace(/^```sh\n/, "").replace(/```$/, "");
  const shellFunction = alias.replace(/^alias trellis="(.*)"$/m, 'trellis() { $1 "$@"; }');
  assert.notEqual(shellFunction, alias);
  const prepare = async (home: string) => {
    await symlink(ROOT, join(home, "trellis"));
    return {};
  };
  const bash = ["bash", "--norc", "--noprofile", "-i"];
  const zsh = isThere("zsh") ? ["zsh", "-f", "-i"] : bash;
  return [
    { ...program, how: "the alias", shell: bash, preamble: alias, prepare },
    { how: "a shell function", shell: zsh, preamble: shellFunction, prepare, pages: [ONE_PAGE] },
  ];
}

for (const { how, pages, ...reader } of listReaders()) {
  for (const page of pages) {
    const missing = ["curl", ...(page === OPERATED ? ["caddy"] : [])].filter(
      (name) => !isThere(name),
    );
    const skip = missing.length > 0 && `needs ${missing.join(", ")}`;
    test(
      `with ${how}, the commands of ${page} do what it says, and leave nothing`,
      { skip },
      async (t) => {
        const { free, ...own } = await choosePorts(page);
        const { output } = await runGuide(t, { page: `quick-starts/${page}`, ...reader, ...own });
        for (const pattern of EXPECTED[page] ?? []) assert.match(output, pattern);
        await Promise.all(free.map(expectFree));
      },
    );
  }
}

function isThere(program: string): boolean {
  return spawnSync(program, [program === "caddy" ? "version" : "--version"]).error === undefined;
}

async function expectFree(port: number): Promise<void> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  await once(server.close(), "close");
}
