import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { formatFileError } from "../../rules/release/catalog-file-error.ts";
import { readSite } from "./read-site.ts";

const home = mkdtempSync(join(tmpdir(), "trellis-site-"));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(home, "catalog-"));
  mkdirSync(join(folder, "site"));
});
after(() => rmSync(home, { recursive: true, force: true }));

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

function writeSite(members: object): void {
  const site = { schemaVersion: 1, name: "Habits", ...members };
  writeFileSync(join(folder, "site.json"), JSON.stringify(site));
}

function messageOf(): string {
  const result = readSite(folder);
  return result.kind === "invalid" ? result.errors.map(formatFileError).join("\n") : "";
}

test("a catalogue needs no site.json", () => {
  assert.deepEqual(readSite(folder), { kind: "absent" });
});

test("the pictures are read from the folder site", () => {
  writeSite({ logo: "logo.svg" });
  writeFileSync(join(folder, "site/logo.svg"), SVG);
  const result = readSite(folder);
  assert.equal(result.kind, "valid");
  assert.deepEqual(Buffer.from(result.site.pictures.get("logo.svg")!.bytes).toString(), SVG);
});

test("a file that is no JSON, and a picture that is missing or too large, are named", () => {
  writeFileSync(join(folder, "site.json"), '{\n  "name": }');
  assert.match(messageOf(), /^site\.json is not valid JSON from line 2/);
  writeSite({ logo: "logo.png" });
  assert.match(
    messageOf(),
    /logo "site\/logo\.png" is missing; put the picture into the folder "site"/,
  );
  writeFileSync(join(folder, "site/logo.png"), Buffer.alloc(300_001));
  assert.match(
    messageOf(),
    /"site\/logo\.png" has 301 KB, and at most 256 KB are allowed; make it/,
  );
});

test("a link or a folder in the place of a picture is not published", () => {
  writeSite({ logo: "logo.svg" });
  writeFileSync(join(home, "private.svg"), SVG);
  symlinkSync(join(home, "private.svg"), join(folder, "site/logo.svg"));
  assert.match(messageOf(), /"site\/logo\.svg" is a link; put the file or folder itself there/);
  rmSync(join(folder, "site/logo.svg"));
  mkdirSync(join(folder, "site/logo.svg"));
  assert.match(messageOf(), /is not a regular file/);
  rmSync(join(folder, "site"), { recursive: true });
  writeFileSync(join(home, "logo.svg"), SVG);
  symlinkSync(home, join(folder, "site"));
  assert.match(messageOf(), /"site\/logo\.svg" is a link/);
  rmSync(join(folder, "site"));
});
