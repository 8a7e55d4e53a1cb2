import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { vendorTypebox } from "../../scripts/vendor-typebox.ts";

/** A folder far from any installed package, with one compiled file. */
async function createDist(t: TestContext, compiled: string) {
  const dist = await mkdtemp(join(tmpdir(), "trellis-dist-"));
  t.after(() => rm(dist, { recursive: true }));
  const file = join(dist, "contract/sync/schemas.js");
  await mkdir(join(dist, "contract/sync"), { recursive: true });
  await writeFile(join(dist, "package.json"), '{ "type": "module" }');
  await writeFile(file, compiled);
  return { dist, file };
}

test("every form of import reads the TypeBox that is beside it, and all share its settings", async (t) => {
  const { dist, file } = await createDist(
    t,
    `import "typebox";
     import Type, {} from "typebox";
     import { Compile } from "typebox/compile";
     export { Settings } from "typebox/system";
     export const isText = (value) => Compile(Type.String()).Check(value);
     export const loadSystem = () => import("typebox/system");`,
  );
  await vendorTypebox(dist);
  const schemas = (await import(pathToFileURL(file).href)) as {
    Settings: unknown;
    isText(value: unknown): boolean;
    loadSystem(): Promise<{ Settings: unknown }>;
  };
  assert.equal(schemas.isText("text"), true);
  assert.equal(schemas.isText(7), false);
  assert.equal((await schemas.loadSystem()).Settings, schemas.Settings);
  assert.match(await readFile(join(dist, "vendor/typebox/license"), "utf8"), /MIT/);
});

for (const compiled of [
  'import(/* later */ "typebox");',
  "import.meta.resolve('typebox/value');",
  "await import(`typebox/system`);",
]) {
  test(`what would still load the installed one stops the build: ${compiled}`, async (t) => {
    const { dist } = await createDist(t, compiled);
    await assert.rejects(vendorTypebox(dist), /would still load the installed TypeBox/);
  });
}

test("packages whose names begin alike are left alone", async (t) => {
  const compiled = 'import "typebox";\nimport "typebox-extras";\nimport "./typebox.js";\n';
  const { dist, file } = await createDist(t, compiled);
  await vendorTypebox(dist);
  assert.equal(
    await readFile(file, "utf8"),
    compiled.replace('"typebox"', '"../../vendor/typebox.mjs"'),
  );
});
