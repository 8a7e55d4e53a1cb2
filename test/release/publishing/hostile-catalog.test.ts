/** A catalogue comes out of version control, so a stranger may have written any file and link in it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { listenOnLocalhost } from "../../fixtures/listen-on-localhost.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const SECRET = "what the person who signs has in a file of their own\n";

async function prepare(t: TestContext) {
  const { folder, remove } = await createCatalogFixture({ releases: 2, drafts: 1, betaEvery: 0 });
  t.after(remove);
  const home = dirname(folder);
  writeFileSync(join(home, "trellis.config.json"), '{ "release": {} }');
  const victim = join(home, "victim");
  writeFileSync(victim, SECRET);
  return {
    folder,
    home,
    victim,
    link: (name: string, target = victim) => symlinkSync(target, join(folder, name)),
    run: (...words: string[]) => runInside(home, ["release", ...words]),
  };
}

/** The journal of a change that would leave the catalogue as it is. */
function journalOf(folder: string, ...names: string[]): string {
  const files = names.map((file) => ({ file, content: readFileSync(join(folder, file), "utf8") }));
  return JSON.stringify({ schemaVersion: 1, files });
}

function addToGit(folder: string, ...names: string[]): void {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder });
  git("init", "--quiet");
  git("add", "--force", "--", ...names);
}

const CHANGES: readonly (readonly string[])[] = [
  ["sign"],
  ["new", "1.0.4", "--build", "4"],
  ["publish", "1.0.3"],
];
const WRITTEN = [".transaction.json", "manifest.json", "keys.json", "catalog.json"];
const RELEASES = ["1.0.3.json", "1.0.4.json"];

describe("a change writes through no link that waits under the name of a temporary file", () => {
  for (const words of CHANGES) {
    test(`release ${words[0]}`, async (t) => {
      const { folder, victim, link, run } = await prepare(t);
      for (const name of WRITTEN) link(`.${name}.tmp`);
      for (const name of RELEASES) link(`releases/.${name}.tmp`);
      writeFileSync(join(folder, ".transaction.json"), journalOf(folder, "keys.json"));
      const { code, stderr } = await run(...words);
      assert.equal(code, 0, stderr);
      assert.equal(readFileSync(victim, "utf8"), SECRET);
    });
  }
});

describe("a catalogue with a link in place of a file or folder is refused, and nothing is written", () => {
  for (const words of [["check"], ...CHANGES]) {
    for (const name of [
      "manifest.json",
      "catalog.json",
      "releases/1.0.2.json",
      ".transaction.json",
    ]) {
      test(`release ${words[0]}, ${name}`, async (t) => {
        const { folder, home, link, run } = await prepare(t);
        const target = join(home, "elsewhere.json");
        if (name === ".transaction.json") writeFileSync(target, journalOf(folder, "keys.json"));
        else renameSync(join(folder, name), target);
        const before = readFileSync(target, "utf8");
        link(name, target);
        const { code, stdout, stderr } = await run(...words);
        assert.equal(code, 1);
        assert.match(stdout + stderr, new RegExp(`${name.replaceAll(".", "\\.")} is a link`));
        assert.equal(readFileSync(target, "utf8"), before);
        assert.ok(lstatSync(join(folder, name)).isSymbolicLink());
      });
    }

    test(`release ${words[0]}, the folder of the releases`, async (t) => {
      const { folder, home, link, run } = await prepare(t);
      const elsewhere = join(home, "elsewhere");
      writeFileSync(join(folder, ".transaction.json"), journalOf(folder, "releases/1.0.3.json"));
      renameSync(join(folder, "releases"), elsewhere);
      link("releases", elsewhere);
      writeFileSync(join(elsewhere, "1.0.3.json"), SECRET);
      const { code, stdout, stderr } = await run(...words);
      assert.equal(code, 1);
      assert.match(stdout + stderr, /releases is a link/);
      assert.equal(readFileSync(join(elsewhere, "1.0.3.json"), "utf8"), SECRET);
      assert.deepEqual(readdirSync(elsewhere).sort(), ["1.0.1.json", "1.0.2.json", "1.0.3.json"]);
    });
  }

  test("release new, a folder of the releases that leads to one that is yet to be made", async (t) => {
    const { home, folder, link, run } = await prepare(t);
    renameSync(join(folder, "releases"), join(home, "aside"));
    link("releases", join(home, "absent"));
    assert.equal((await run("new", "1.0.4", "--build", "4")).code, 1);
    assert.equal(existsSync(join(home, "absent")), false);
  });

  test("release init", async (t) => {
    const { home, victim } = await prepare(t);
    const folder = join(home, "cloned");
    mkdirSync(folder);
    writeFileSync(join(home, "trellis.config.json"), '{ "release": { "catalog": "cloned" } }');
    const words = ["release", "init", "--product", "habits"];
    const init = () => runInside(home, [...words, "--target", "linux/x64"]);
    symlinkSync(join(home, "absent"), join(folder, "releases"));
    const refused = await init();
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(refused.stderr, /releases" is a link/);
    assert.equal(existsSync(join(home, "absent")), false);
    renameSync(join(folder, "releases"), join(home, "aside"));
    symlinkSync(victim, join(folder, ".gitignore"));
    const { code, stderr } = await init();
    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(victim, "utf8"), SECRET);
    assert.match(readFileSync(join(folder, ".gitignore"), "utf8"), /\.transaction\.json/);
  });
});

describe("the lock is an empty file of this folder", () => {
  for (const words of CHANGES) {
    test(`release ${words[0]} creates nothing through a link`, async (t) => {
      const { home, link, run } = await prepare(t);
      link(".lock", join(home, "absent"));
      const { code, stderr } = await run(...words);
      assert.equal(code, 1);
      assert.match(stderr, /\.lock" is not an empty file: delete it/);
      assert.equal(existsSync(join(home, "absent")), false);
    });
  }

  test("a database that a stranger wrote is not opened", async (t) => {
    const { folder, run } = await prepare(t);
    writeFileSync(join(folder, ".lock"), "SQLite format 3\0".padEnd(4096, "\0"));
    const { code, stderr } = await run("sign");
    assert.equal(code, 1);
    assert.match(stderr, /\.lock" is not an empty file: delete it/);
  });
});

describe("what belongs to one machine is not taken from version control", () => {
  for (const name of [".transaction.json", ".lock", ".manifest.json.0123456789ab.tmp"]) {
    test(`check reports a tracked ${name}`, async (t) => {
      const { folder, run } = await prepare(t);
      const content = name === ".transaction.json" ? journalOf(folder, "keys.json") : "";
      writeFileSync(join(folder, name), content);
      assert.equal((await run("check")).code, 0, "as a killed command leaves it");
      addToGit(folder, name);
      const { code, stdout } = await run("check");
      assert.equal(code, 1);
      assert.match(
        stdout,
        new RegExp(`^${name.replaceAll(".", "\\.")} is tracked by git; .*git rm --cached`, "m"),
      );
    });
  }

  for (const words of CHANGES) {
    test(`release ${words[0]} does not finish the change of a tracked journal`, async (t) => {
      const { folder, run } = await prepare(t);
      writeFileSync(join(folder, ".transaction.json"), journalOf(folder, "keys.json"));
      addToGit(folder, ".transaction.json");
      const before = lstatSync(join(folder, "keys.json")).ino;
      const { code, stderr } = await run(...words);
      assert.equal(code, 1);
      assert.match(stderr, /\.transaction\.json is tracked by git/);
      assert.equal(lstatSync(join(folder, "keys.json")).ino, before);
    });
  }

  test("a journal whose files are no valid catalogue is not written", async (t) => {
    const { folder, run } = await prepare(t);
    const keys = readFileSync(join(folder, "keys.json"), "utf8");
    const files = [{ file: "keys.json", content: '{"release-2026-01":"of a stranger"}' }];
    writeFileSync(join(folder, ".transaction.json"), JSON.stringify({ schemaVersion: 1, files }));
    assert.equal((await run("sign")).code, 1);
    assert.equal(readFileSync(join(folder, "keys.json"), "utf8"), keys);
  });
});

describe("an export writes and deletes only inside its folder", () => {
  async function exported(t: TestContext) {
    const { home, run } = await prepare(t);
    const place = join(home, "public");
    const again = (...words: string[]) => run("export", place, ...words);
    assert.equal((await again()).code, 0);
    return { home, place, again };
  }

  test("a linked folder of trees is refused", async (t) => {
    const { home, place, again } = await exported(t);
    const elsewhere = join(home, "elsewhere");
    mkdirSync(join(elsewhere, "old"), { recursive: true });
    writeFileSync(join(elsewhere, "old", "file"), SECRET);
    utimesSync(join(elsewhere, "old"), 1, 1);
    renameSync(join(place, "trees"), join(home, "aside"));
    symlinkSync(elsewhere, join(place, "trees"));
    const { code, stderr } = await again("--deployed-at", "/srv/other");
    assert.equal(code, 1);
    assert.match(stderr, /contains files that are not from an export/);
    assert.deepEqual(readdirSync(elsewhere), ["old"]);
  });

  test("a linked marker is refused", async (t) => {
    const { home, place, again } = await exported(t);
    renameSync(join(place, ".trellis-export.json"), join(home, "aside"));
    symlinkSync(join(home, "aside"), join(place, ".trellis-export.json"));
    assert.equal((await again()).code, 1);
  });
});

describe("what is larger than any manifest is not read", () => {
  const HUGE = 600_000_000;

  for (const [name, words] of [
    ["manifest.json", ["check"]],
    ["manifest.json", ["publish", "1.0.3"]],
    [".transaction.json", ["check"]],
  ] as const) {
    test(`release ${words[0]}, ${name}`, async (t) => {
      const { folder, run } = await prepare(t);
      writeFileSync(join(folder, name), "");
      truncateSync(join(folder, name), HUGE);
      const { code, stdout, stderr } = await run(...words);
      assert.equal(code, 1);
      assert.match(
        stdout + stderr,
        new RegExp(`${name} has ${HUGE} bytes, which is too large for such a file`),
      );
    });
  }

  test("release verify FILE", async (t) => {
    const { home, run } = await prepare(t);
    writeFileSync(join(home, "huge.json"), "");
    truncateSync(join(home, "huge.json"), HUGE);
    const { code, stderr } = await run("verify", join(home, "huge.json"));
    assert.equal(code, 1);
    assert.match(stderr, /has more than 67108864 bytes: it is not a manifest/);
  });

  test("release verify URL ends the transfer at the bound", async (t) => {
    const { run } = await prepare(t);
    const chunk = Buffer.alloc(1_000_000, " ");
    let sent = 0;
    const origin = await listenOnLocalhost(
      t,
      createServer((_, response) => {
        const send = () => {
          while (sent < HUGE && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return;
          }
        };
        response.on("drain", send).on("error", () => {});
        send();
      }),
    );
    const { code, stderr } = await run("verify", `${origin}/manifest.json`);
    assert.equal(code, 1);
    assert.match(stderr, /has more than 8388608 bytes, which update clients refuse to read/);
    assert.ok(sent < HUGE / 2, `${sent}`);
  });
});

test("a change that would make a file that is too large to be read is refused", async (t) => {
  const { folder, run } = await prepare(t);
  const path = join(folder, "releases/1.0.3.json");
  const draft = JSON.parse(readFileSync(path, "utf8"));
  draft.notes.added = Array.from({ length: 4160 }, () => "x".repeat(1000));
  writeFileSync(path, JSON.stringify(draft));
  const { code, stderr } = await run("remove-artifact", "1.0.3", draft.artifacts[0].fileName);
  assert.equal(code, 1, "indented, it has more than 4 MiB");
  assert.match(stderr, /1\.0\.3\.json would have more than 4194304 bytes/);
});
