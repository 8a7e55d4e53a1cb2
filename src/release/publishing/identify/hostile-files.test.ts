/** Every reader of a format against files that a stranger made, by the steps that they cost. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import {
  debFile,
  elfFile,
  MAC_PROGRAM,
  machOFile,
  nsisFile,
  peFile,
  rpmFile,
  tarFile,
  tarGzFile,
  writeTarSum,
  zipFile,
} from "../../../../test/fixtures/built-files.ts";
import {
  androidManifest,
  appImageFile,
  binaryInfoPlist,
  msiWithProperties,
  withVersionResource,
} from "../../../../test/fixtures/versioned-files.ts";
import { appendBlockMap } from "../../../../test/fixtures/block-map.ts";
import { BUDGET, createBudget } from "./budget.ts";
import { identifyFile } from "./identify-file.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-hostile-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const MEBIBYTE = 1024 * 1024;

/** Smaller than the real one, so that hostile files are small too. */
const LIMITS = { ...BUDGET, readBytes: MEBIBYTE, inflatedBytes: MEBIBYTE, entries: 500 };
const PIECE_BYTES = 64 * 1024;

/** Time stands still, so that steps alone end a reader. */
async function identify(
  content: Buffer,
  name: string,
  limits: typeof LIMITS | typeof BUDGET = LIMITS,
  now: () => number = () => 0,
) {
  const path = join(folder, "content");
  await writeFile(path, content);
  const budget = createBudget(limits, now);
  const found = await identifyFile(path, name, budget);
  const { readBytes, inflatedBytes, entries } = budget.spent;
  // One step may pass the limit: the one that ends the reader.
  assert.ok(readBytes <= limits.readBytes + PIECE_BYTES + 22, `${name} read ${readBytes} bytes`);
  assert.ok(inflatedBytes <= limits.inflatedBytes + PIECE_BYTES, `${name} inflated too much`);
  assert.ok(entries <= limits.entries + 1, `${name} had ${entries} entries`);
  const isKnown = found.platform !== undefined && found.architecture !== undefined;
  assert.ok(isKnown || (found.doubt ?? "") !== "", `${name} is told without a reason`);
  return found;
}

const TOO_COMPLEX = "its content is too complex to look into";

/** A header whose numbers are the given bytes. */
function tarHeader(name: string, size: string | Buffer, type = "0"): Buffer {
  const header = tarFile({ [name]: "" }).subarray(0, 512);
  header.write(type, 156, "latin1");
  Buffer.from(size).copy(header, 124, 0, 12);
  writeTarSum(header);
  return header;
}

test("sizes in a tar archive that are negative, huge or no number end its reader", async () => {
  const negative = Buffer.alloc(12, 0xff);
  const huge = Buffer.concat([Buffer.from([0x80]), Buffer.alloc(11, 0xff)]);
  for (const size of ["-0000001000\0", "-1", "0x10000", "9", "77777777777\0", negative, huge]) {
    for (const type of ["0", "L", "x", "g", "K", "2"]) {
      const found = await identify(gzipSync(tarHeader("a", size, type)), "a.tar.gz");
      assert.equal(found.kind.startsWith("gzip archive"), true, `${String(size)} ${type}`);
      assert.notEqual(found.doubt, undefined);
    }
  }
});

test("what packs into little and unpacks into much ends with the budget", async () => {
  const zeros = Buffer.alloc(2 * LIMITS.inflatedBytes);
  const bomb = { "a.txt": zeros };
  for (const [name, content] of [
    ["a.tar.gz", tarGzFile(bomb)],
    ["a.deb", debFile("amd64", () => gzipSync(tarFile(bomb)))],
    ["a.deb", debFile("amd64", () => zstdCompressSync(tarFile(bomb)), ".zst")],
  ] as const) {
    const found = await identify(content, name);
    assert.equal(found.doubt, TOO_COMPLEX, name);
  }
  const map = appendBlockMap(elfFile("x64", true), {
    files: [{ sizes: "a".repeat(zeros.length) }],
  });
  const found = await identify(map, "a.AppImage");
  assert.deepEqual([found.architecture, found.blockMapSize], ["x64", undefined]);
});

test("many programs that are none end with the budget", async () => {
  const line = deepZip(200);
  assert.equal((await identify(line, "a.zip")).doubt, TOO_COMPLEX);
});

/** Every entry leads to the same megabytes, in some kilobytes. */
function deepZip(entries: number): Buffer {
  const one = zipFile({ "a.exe": Buffer.alloc(MEBIBYTE, "no program") });
  const directory = one.readUInt32LE(one.length - 6);
  const record = one.subarray(directory, one.length - 22);
  const records = Buffer.concat(Array.from({ length: entries }, () => record));
  const end = Buffer.from(one.subarray(-22));
  end.writeUInt32LE(records.length, 12);
  return Buffer.concat([one.subarray(0, directory), records, end]);
}

test("entries end with the budget, a hundred thousand of them too", async () => {
  const names = (count: number) =>
    zipFile(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, ""])), true);
  assert.equal((await identify(names(100_000), "a.zip", BUDGET)).doubt, TOO_COMPLEX);
  const header = tarFile({ a: "" }).subarray(0, 512);
  const member = `${"debian-binary".padEnd(48)}${"0".padEnd(10)}\`\n`;
  const count = LIMITS.entries + 1;
  for (const [name, content] of [
    ["a.zip", names(count)],
    ["a.tar.gz", gzipSync(Buffer.concat(Array.from({ length: count }, () => header)))],
    ["a.deb", Buffer.from(`!<arch>\n${member.repeat(count)}`)],
    [
      "a.rpm",
      rpmFile(
        "x86_64",
        Array.from({ length: count }, () => [1, "a"] as const),
      ),
    ],
  ] as const) {
    assert.equal((await identify(content, name)).doubt, TOO_COMPLEX, name);
  }
});

test("a name of more than 4 KiB ends with the budget", async () => {
  const name = "n".repeat(BUDGET.nameBytes + 1);
  assert.equal((await identify(zipFile({ [name]: "" }), "a.zip")).doubt, TOO_COMPLEX);
  const long = Buffer.concat([tarHeader("@", sizeOf(name), "L"), Buffer.from(name)]);
  assert.equal((await identify(gzipSync(long), "a.tar.gz")).doubt, TOO_COMPLEX);
  const record = ` path=${name}\n`;
  const pax = Buffer.from(`${record.length + 4}${record}`.padEnd(5120, "\0"));
  const archive = [tarHeader("@", sizeOf(pax.toString()), "x"), pax, tarFile({ a: "" })];
  assert.equal((await identify(gzipSync(Buffer.concat(archive)), "a.tar.gz")).doubt, TOO_COMPLEX);
});

function sizeOf(text: string): string {
  return text.length.toString(8).padStart(11, "0");
}

test("time ends a reader too, and what came before stays true", async () => {
  let milliseconds = 0;
  const found = await identify(
    tarGzFile({ "Habits.app/Contents/Info.plist": "", "Habits.app/a": Buffer.alloc(MEBIBYTE / 2) }),
    "Habits_arm64.app.tar.gz",
    LIMITS,
    () => (milliseconds += 100),
  );
  assert.deepEqual([found.platform, found.architecture], ["macos", "arm64"]);
  assert.match(found.kind, /^app in a tar archive, too complex to look into$/);
});

test("an app whose program lies deeper than the budget is known by what comes before", async () => {
  const resources = "Habits.app/Contents/Frameworks/data";
  // Deflate packs zeros to a thousandth.
  const deep = {
    [resources]: Buffer.alloc(LIMITS.inflatedBytes),
    [MAC_PROGRAM]: machOFile("arm64"),
  };
  const tar = await identify(tarGzFile(deep), "Habits-x64.tar.gz");
  assert.deepEqual([tar.platform, tar.architecture], ["macos", "x64"]);
  const unnamed = await identify(tarGzFile(deep), "Habits.app.tar.gz");
  assert.deepEqual([unnamed.platform, unnamed.doubt], ["macos", TOO_COMPLEX]);
  const many = Object.fromEntries(
    Array.from({ length: LIMITS.entries + 1 }, (_, at) => [`Habits/${at}`, ""]),
  );
  const first = zipFile({ "Habits/Habits.exe": peFile("x64"), ...many }, true);
  const zip = await identify(first, "Habits.zip");
  assert.deepEqual([zip.platform, zip.architecture], ["windows", "x64"]);
});

test("links in archives are not followed and tell nothing", async () => {
  const program = elfFile("x64");
  for (const type of ["1", "2", "5", "S"]) {
    const header = tarHeader("bin/habits", sizeOf("n".repeat(program.length)), type);
    const found = await identify(gzipSync(Buffer.concat([header, program, program])), "a.tar.gz");
    assert.equal(found.platform, undefined, type);
  }
  const zip = zipFile({ [MAC_PROGRAM]: machOFile("x64") });
  const at = zip.indexOf("PK\x01\x02");
  zip.writeUInt16LE(0o12_0777, at + 40);
  assert.equal((await identify(zip, "a.zip")).platform, undefined);
});

test("offsets and sizes that lead out of the file end the reader of every format", async () => {
  for (const [name, content] of VALID_FILES) {
    for (let at = 0; at + 4 <= Math.min(content.length, 400); at += at < 128 ? 2 : 4) {
      const changed = Buffer.from(content);
      changed.writeUInt32LE([0xffff_ffff, 0x7fff_ffff, content.length][at % 3] ?? 0, at);
      await identify(changed, name);
    }
  }
});

const PROGRAM = withVersionResource(peFile("x64"), "1.4.0");
const PACKAGE = msiWithProperties({ Licence: "l".repeat(5000), ProductVersion: "1.4.0" });

const VALID_FILES: readonly (readonly [name: string, content: Buffer])[] = [
  ["a.exe", peFile("x64", true)],
  ["a.AppImage", appendBlockMap(elfFile("x64", true))],
  ["a.AppImage", appImageFile("[Desktop Entry]\nX-AppImage-Version=1.4.0\n")],
  ["a.deb", debFile("amd64")],
  ["a.deb", debFile("arm64", zstdCompressSync, ".zst")],
  ["a.rpm", rpmFile("x86_64")],
  ["a.zip", zipFile({ [MAC_PROGRAM]: machOFile("x64", "arm64"), "a/a.exe": peFile("x64") })],
  ["a.apk", zipFile({ "AndroidManifest.xml": "", "lib/arm64-v8a/a.so": "" })],
  ["a.tar.gz", tarGzFile({ README: "read me", "bin/habits": elfFile("x64") })],
  ["a.exe", PROGRAM],
  ["a-x64.exe", nsisFile(["\\app-64.7z"])],
  ["a.msi", PACKAGE],
  ["a.apk", zipFile({ "AndroidManifest.xml": androidManifest("1.4.0", 57) }, true)],
  ["a.ipa", zipFile({ "Payload/a.app/Info.plist": binaryInfoPlist("1.4.0", "57") }, true)],
];

test("the header of an installer is inflated within the budget, wherever its lengths lead", async () => {
  const header = 1024 + 28;
  for (const length of [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]) {
    const changed = nsisFile(["\\app-64.7z"]);
    changed.writeUInt32LE(length, header);
    assert.match((await identify(changed, "a.exe")).doubt ?? "", /32-bit installer/);
  }
  const bomb = nsisFile(["x".repeat(4 * MEBIBYTE), "\\app-64.7z"]);
  assert.match((await identify(bomb, "a.exe")).doubt ?? "", /too complex/);
});

test("chains of an MSI package that lead back into themselves end with the budget", async () => {
  const fat = (PACKAGE.readUInt32LE(76) + 1) * 512;
  for (let sector = 0; sector < 4; sector++) {
    const circular = Buffer.from(PACKAGE);
    circular.writeUInt32LE(sector, fat + sector * 4);
    const { kind, platform } = await identify(circular, "a-x64.msi");
    assert.match(`${platform} ${kind}`, /^windows MSI installer/);
  }
  const endless = Buffer.from(PACKAGE);
  const directory = endless.readUInt32LE(48);
  endless.writeUInt32LE(directory, fat + directory * 4);
  const { kind, detected } = await identify(endless, "a-x64.msi");
  assert.equal(kind, "MSI installer, too complex to look into");
  assert.equal(detected, undefined);
});

test("resources of a program that lead into themselves end its reader", async () => {
  const resources = 1024;
  for (const [at, value] of [
    [resources + 20, 0x8000_0000],
    [resources + 44, 0x8000_0018],
    [resources + 68, 0],
    [resources + 12, 0xffff_ffff],
    [resources + 76, 0xffff_ffff],
  ] as const) {
    const changed = Buffer.from(PROGRAM);
    changed.writeUInt32LE(value, at);
    const { platform, architecture } = await identify(changed, "a.exe");
    assert.deepEqual([platform, architecture], ["windows", "x64"]);
  }
});

test("a file with any bytes changed, cut or repeated is told without an error", async () => {
  const change = fc.record({
    at: fc.nat(),
    bytes: fc.uint8Array({ maxLength: 12 }),
    cut: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...VALID_FILES),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async ([name, valid], changes) => {
        let content = Buffer.from(valid);
        for (const { at, bytes, cut } of changes) {
          const place = at % content.length;
          content.set(bytes.subarray(0, content.length - place), place);
          if (cut % 5 === 0) content = content.subarray(0, Math.max(1, cut % content.length));
          if (cut % 7 === 0) content = Buffer.concat([content, content.subarray(place)]);
        }
        await identify(content, name);
      },
    ),
    { numRuns: 400 },
  );
});
