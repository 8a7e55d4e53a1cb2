/** A catalogue is in a repository that a stranger wrote to: git runs none of its programs, and is not believed blindly. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const CHANGE = ["release", "new", "1.0.4", "--build", "4"];

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function prepare(t: TestContext) {
  const { folder, remove } = await createCatalogFixture({ releases: 2, drafts: 1, betaEvery: 0 });
  t.after(remove);
  const home = dirname(folder);
  writeFileSync(join(home, "trellis.config.json"), '{ "release": {}, "dataDir": "catalog" }');
  const git = (...words: string[]) => void execFileSync("git", words, { cwd: home });
  git("init", "--quiet");
  const proof = join(home, "a-program-ran");
  const journal = join(folder, ".transaction.json");
  const keys = { file: "keys.json", content: readFileSync(join(folder, "keys.json"), "utf8") };
  return {
    folder,
    home,
    git,
    proof,
    journal,
    run: (words: readonly string[]) => runInside(home, words),
    writeJournal: () => writeFileSync(journal, JSON.stringify({ schemaVersion: 1, files: [keys] })),
    /** The inode of a file that the journal replaces. */
    inode: () => lstatSync(join(folder, "keys.json")).ino,
  };
}

/** Lays a repository out in a folder whose index needs an object that only the program of its remote has. */
function writeRepository(place: string, proof: string): void {
  const seed = join(dirname(proof), "seed");
  const git = (...words: string[]) => execFileSync("git", words, { cwd: seed });
  mkdirSync(join(seed, "inner"), { recursive: true });
  git("init", "--quiet");
  writeFileSync(join(seed, "inner/file"), "");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "--quiet", "-m", "seed");
  git("sparse-checkout", "init", "--cone", "--sparse-index");
  mkdirSync(join(place, "objects"), { recursive: true });
  mkdirSync(join(place, "refs"), { recursive: true });
  for (const name of ["HEAD", "index"]) cpSync(join(seed, ".git", name), join(place, name));
  rmSync(seed, { recursive: true });
  const program = join(dirname(proof), "program");
  writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\nexit 1\n`);
  chmodSync(program, 0o700);
  const lines = [
    "[core]\nrepositoryformatversion = 1\nbare = false\nsparseCheckout = true\nsparseCheckoutCone = true",
    `fsmonitor = ${program}\npager = ${program}`,
    "[index]\nsparse = true",
    "[extensions]\npartialClone = origin",
    `[remote "origin"]\nurl = .\npromisor = true\nuploadpack = ${program}`,
    `[pager]\nls-files = ${program}`,
  ];
  writeFileSync(join(place, "config"), `${lines.join("\n")}\n`);
}

describe("git runs no program of a stranger", () => {
  for (const [name, attack] of [
    [
      "a repository committed into the catalogue",
      ({ folder, proof }: Prepared) => {
        writeRepository(folder, proof);
        appendFileSync(join(folder, "config"), "[core]\nworktree = .\n");
      },
    ],
    [
      "an archive with its repository",
      ({ home, proof }: Prepared) => {
        rmSync(join(home, ".git"), { recursive: true });
        writeRepository(join(home, ".git"), proof);
      },
    ],
  ] as const) {
    for (const words of [["release", "check"], CHANGE, ["doctor"]]) {
      test(`${words.join(" ")}, ${name}`, async (t) => {
        const prepared = await prepare(t);
        const { folder, proof, run, writeJournal } = prepared;
        attack(prepared);
        spawnSync("git", ["-c", "core.fsmonitor=false", "ls-files"], { cwd: folder });
        assert.ok(existsSync(proof), "git alone runs the program for a missing object");
        rmSync(proof);
        writeJournal();
        const { code, stdout, stderr } = await run(words);
        assert.ok(code === 0 || /git cannot say/.test(stdout + stderr), stdout + stderr);
        assert.equal(existsSync(proof), false);
      });
    }
  }
});

describe("a journal is finished only when git, or the lack of a repository, says that it is not tracked", () => {
  async function expectRefused(
    { run, writeJournal, inode }: Prepared,
    expected: RegExp,
  ): Promise<void> {
    writeJournal();
    const before = inode();
    const { code, stderr } = await run(CHANGE);
    assert.equal(code, 1);
    assert.match(stderr, expected);
    assert.equal(inode(), before);
  }

  test("a repository with an empty index in the catalogue hides nothing", async (t) => {
    const prepared = await prepare(t);
    const { folder, git, journal, writeJournal } = prepared;
    writeJournal();
    git("add", "--force", journal);
    execFileSync("git", ["init", "--quiet", "--bare", folder]);
    appendFileSync(join(folder, "config"), "[core]\nbare = false\nworktree = .\n");
    await expectRefused(prepared, /\.transaction\.json is tracked by git/);
  });

  for (const name of [".Transaction.json", ".tran\u017faction.json"]) {
    test(`a disk that ignores case brings it as ${name}`, async (t) => {
      const prepared = await prepare(t);
      const { folder, git } = prepared;
      writeFileSync(join(folder, name), "");
      git("add", "--force", join(folder, name));
      await expectRefused(prepared, /is tracked by git/);
    });
  }

  test("git fails", async (t) => {
    const prepared = await prepare(t);
    writeFileSync(join(prepared.home, ".git/index"), "damaged");
    await expectRefused(prepared, /git cannot say .*; make `git ls-files` work in/);
    const { code, stdout } = await prepared.run(["release", "check"]);
    assert.equal(code, 1);
    assert.match(stdout, /git cannot say/);
  });

  test("there is no git", async (t) => {
    const prepared = await prepare(t);
    const path = process.env["PATH"];
    process.env["PATH"] = prepared.home;
    t.after(() => (process.env["PATH"] = path));
    await expectRefused(prepared, /git cannot say .*\(there is no git\)/);
    assert.equal((await prepared.run(["release", "check"])).code, 1);
    rmSync(prepared.journal);
    assert.equal((await prepared.run(["release", "check"])).code, 0, "nothing is uncertain");
  });

  test("a folder without a repository needs no git", async (t) => {
    const { home, folder, run, writeJournal, journal, inode } = await prepare(t);
    rmSync(join(home, ".git"), { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", folder]);
    writeJournal();
    const before = inode();
    const path = process.env["PATH"];
    process.env["PATH"] = home;
    t.after(() => (process.env["PATH"] = path));
    const { code, stderr } = await run(CHANGE);
    assert.equal(code, 0, stderr);
    assert.notEqual(inode(), before);
    assert.equal(existsSync(journal), false);
  });
});
