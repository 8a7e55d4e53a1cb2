/** An architecture by another name than clients ask for is questioned before it is entered. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
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
  const add = (architecture: string, ...more: string[]) =>
    runInside(place, [
      ..."release add-artifact 9.0.0 --platform linux".split(" "),
      join(place, "habits.deb"),
      "--architecture",
      architecture,
      "--url",
      url,
      ...more,
    ]);
  const entered = async () =>
    (
      JSON.parse(await readFile(join(folder, "releases/9.0.0.json"), "utf8")) as {
        artifacts: { architecture: string }[];
      }
    ).artifacts.map(({ architecture }) => architecture);
  return { folder, add, entered };
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
