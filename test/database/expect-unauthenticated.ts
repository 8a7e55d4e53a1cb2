import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { completeLines, packLines } from "./backup-sample.ts";

interface CommandLine {
  run(
    words: string,
    input?: string,
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** With the passphrase of the key in the backup it is checked, also after a change of it. */
export async function expectCheckedByPassphrase(
  machine: CommandLine,
  file: string,
  passphrase: string,
): Promise<void> {
  const verify = `--with-key --passphrase-stdin`;
  const verified = await machine.run(`verify ${file} ${verify}`, passphrase);
  assert.match(verified.stdout, /backup is complete and authentic$/m);
  const lines = await readLines(file);
  const header = (lines[0] ?? "").replace('"product":"', '"product":"9');
  const forged = `${file}.forged.backup`;
  const changed = completeLines([header, ...lines.slice(1, -1)]);
  await writeFile(forged, packLines([...changed, lines.at(-1) ?? ""]), { flag: "wx" });
  for (const words of [
    `verify ${forged} ${verify}`,
    `restore ${forged} ${verify} --accept-unauthenticated --yes`,
  ]) {
    const refused = await machine.run(words, passphrase);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /It is not authentic: it was changed after it was written/);
  }
}

/** On the machine with the key: a backup that lost its HMAC, or names another key, does not pass for a good one. */
export async function expectNotAuthentic(machine: CommandLine, file: string): Promise<void> {
  const lines = await readLines(file);
  const [header = ""] = lines;
  const replaced = (change: string) => completeLines([change, ...lines.slice(1, -1)]);
  const foreign = header.replace(/"keyId":"[^"]*"/, '"keyId":"of-another"');
  const forged = {
    "written without an instance key": packWithoutHmac(lines),
    "written with another instance key": packLines([...replaced(foreign), lines.at(-1) ?? ""]),
  };
  for (const [reason, bytes] of Object.entries(forged)) {
    const path = `${file}.${reason.replaceAll(/\W/g, "-")}.backup`;
    await writeFile(path, bytes, { flag: "wx" });
    for (const words of [`verify ${path}`, `restore ${path} --yes`]) {
      const refused = await machine.run(words);
      assert.equal(refused.code, 1, refused.stdout);
      assert.match(refused.stderr, /(?:^|: )The backup is not authentic under the instance key/);
      assert.ok(refused.stderr.includes(reason), refused.stderr);
      assert.match(refused.stderr, /--accept-unauthenticated$/m);
    }
    const accepted = await machine.run(`verify ${path} --accept-unauthenticated`);
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.match(accepted.stdout, /backup is complete, but not authentic$/m);
  }
}

/** On a machine without the key of the backup: it is complete, not checked, and not restored. */
export async function expectUnauthenticated(machine: CommandLine, file: string): Promise<void> {
  const lines = await readLines(file);
  const bare = `${file}.bare.backup`;
  await writeFile(bare, packWithoutHmac(lines), { flag: "wx" });
  for (const [path, reason] of [
    [file, /instance key/],
    [bare, /it was written without an instance key/],
  ] as const) {
    const verified = await machine.run(`verify ${path}`);
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /backup is complete, authenticity not checked$/m);
    assert.match(verified.stdout, reason);
    const refused = await machine.run(`restore ${path} --yes`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, reason);
    assert.match(refused.stderr, /may have added, changed or removed data/);
    assert.match(refused.stderr, /Nothing was changed: .+ with --accept-unauthenticated$/m);
  }
}

function packWithoutHmac([header = "", ...rest]: readonly string[]): Buffer {
  const bare = header.replace(/"authentication":\{[^}]*\}/, '"authentication":null');
  return packLines(completeLines([bare, ...rest.slice(0, -1)]));
}

async function readLines(file: string): Promise<string[]> {
  const text = gunzipSync(await readFile(file)).toString();
  return text.trimEnd().split("\n");
}
