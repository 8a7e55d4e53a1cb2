import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { completeLines, packLines, packOldBackup } from "./backup-sample.ts";

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
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split("\n");
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

/** On a machine without the key of the backup: it is complete, not checked, and not restored. */
export async function expectUnauthenticated(machine: CommandLine, file: string): Promise<void> {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split("\n");
  const old = `${file}.old.backup`;
  await writeFile(old, packOldBackup(lines.slice(0, -1)), { flag: "wx" });
  for (const [path, reason] of [
    [file, /instance key/],
    [old, /old backup, written before backups were authenticated/],
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
