import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { ignorePrivateFiles } from "./ignore-private-files.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "trellis-ignore-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(home, file), "utf8");

test("the whole data folder is ignored", () => {
  ignorePrivateFiles(join(home, "data"), join(home, "data/keys"), [join(home, "catalog")]);
  assert.equal(read("data/.gitignore"), "*\n");
});

test("a data folder that holds the catalogue is not ignored, only its keys are", () => {
  ignorePrivateFiles(home, join(home, "keys"), [join(home, "catalog")]);
  assert.equal(read("keys/.gitignore"), "*\n");
  assert.deepEqual(readdirSync(home), ["keys"]);
});

test("a file that is there is left as it is", () => {
  writeFileSync(join(home, ".gitignore"), "*.pem\n");
  ignorePrivateFiles(home, join(home, "keys"), []);
  assert.equal(read(".gitignore"), "*.pem\n");
});
