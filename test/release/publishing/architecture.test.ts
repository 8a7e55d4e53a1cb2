/** An architecture by another name than clients ask for is questioned before it is entered. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { ENTER, runAtTerminal } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";

async function prepare(t: TestContext) {
  const { folder, remove } = await createCatalogFixture({ releases: 1 });
  t.after(remove);
  const place = dirname(folder);
  await writeFile(join(place, "trellis.config.json"), '{ "release": {} }');
  await writeFile(join(place, "habits.deb"), "the linux app");
  const created = await runInside(place, ["release", "new", "9.0.0", "--build", "900"]);
  assert.equal(created.code, 0, created.stderr);
  const url = "https://downloads.example.com/9.0.0/habits.deb";
  const words = (architecture: string, ...more: string[]) => [
    ..."release add-artifact 9.0.0 --platform linux".split(" "),
    join(place, "habits.deb"),
    "--architecture",
    architecture,
    "--url",
    url,
    ...more,
  ];
  const add = (architecture: string, ...more: string[]) =>
    runInside(place, words(architecture, ...more));
  const entered = async () =>
    (
      JSON.parse(await readFile(join(folder, "releases/9.0.0.json"), "utf8")) as {
        artifacts: { architecture: string }[];
      }
    ).artifacts.map(({ architecture }) => architecture);
  return { place, folder, words, add, entered };
}

test("amd64 is refused, and x64 suggested", async (t) => {
  const { add, entered } = await prepare(t);
  const { code, stderr } = await add("amd64");
  assert.equal(code, 2);
  assert.match(stderr, /"amd64" is usually written "x64", .*: did you mean --architecture x64\?/);
  assert.match(stderr, /--accept-architecture/);
  assert.deepEqual(await entered(), []);
});

test("an architecture of another world is refused with the usual ones", async (t) => {
  const { add, entered } = await prepare(t);
  const { code, stderr } = await add("riscv64");
  assert.equal(code, 2);
  assert.match(stderr, /"riscv64" is none of the usual architectures \(universal, x64, arm64/);
  assert.deepEqual(await entered(), []);
});

test("at a terminal it asks there, and the usual name is the default", async (t) => {
  const { place, words, entered } = await prepare(t);
  const asked = await runAtTerminal(place, words("amd64"), [['Enter it as "x64"?', ENTER]]);
  assert.equal(asked.code, 0, asked.stderr);
  assert.deepEqual(await entered(), ["x64"]);
  const refused = await runAtTerminal(place, words("riscv64"), [["Is it right?", ENTER]]);
  assert.equal(refused.code, 2);
  assert.deepEqual(await entered(), ["x64"]);
});

for (const command of ["release init", "init"]) {
  test(`${command} questions the targets too`, async (t) => {
    const place = await mkdtemp(join(tmpdir(), "trellis-targets-"));
    t.after(() => rm(place, { recursive: true, force: true }));
    const config = join(place, "trellis.config.json");
    if (command !== "init") await writeFile(config, '{ "release": {} }');
    const words = [
      ...command.split(" "),
      ..."--product habits --target windows/amd64 --target linux/riscv64".split(" "),
    ];
    const targets = async () =>
      (
        JSON.parse(await readFile(join(place, "catalog/catalog.json"), "utf8")) as {
          targets: { architecture: string }[];
        }
      ).targets.map(({ architecture }) => architecture);
    const refused = await runInside(place, words);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(
      refused.stderr,
      /"amd64" is usually written "x64", .*: did you mean --target windows\/x64\? Add --accept-architecture/,
    );
    await assert.rejects(targets());
    assert.equal((await runInside(place, [...words, "--accept-architecture"])).code, 0);
    assert.deepEqual(await targets(), ["amd64", "riscv64"]);
    if (command === "init") return;
    await rm(join(place, "catalog"), { recursive: true });
    const asked = await runAtTerminal(place, words, [
      ['Enter it as "x64"?', ENTER],
      ["Is it right?", "y"],
    ]);
    assert.equal(asked.code, 0, asked.stderr);
    assert.deepEqual(await targets(), ["x64", "riscv64"]);
  });
}

test("--accept-architecture takes it as it is", async (t) => {
  const { add, entered } = await prepare(t);
  assert.equal((await add("riscv64", "--accept-architecture")).code, 0);
  assert.deepEqual(await entered(), ["riscv64"]);
});

test("a target of the catalogue that names it is enough", async (t) => {
  const { folder, add, entered } = await prepare(t);
  const path = join(folder, "catalog.json");
  const catalog = JSON.parse(await readFile(path, "utf8")) as { targets: object[] };
  catalog.targets.push({ platform: "linux", architecture: "amd64" });
  await writeFile(path, JSON.stringify(catalog));
  const { code, stderr } = await add("amd64");
  assert.equal(code, 0, stderr);
  assert.deepEqual(await entered(), ["amd64"]);
});
