/** What every service's backups must withstand: changes by someone without the instance key. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import type { FindBackupKey } from "../../src/backup/format/authenticate-backup.ts";
import type { BackupManifest } from "../../src/backup/format/backup-format.ts";
import {
  BACKUP_KEY,
  completeLines,
  findBackupKey,
  packBackup,
  packLines,
  sealLines,
  type BackupSample,
} from "./backup-sample.ts";

const OTHER_KEY = { id: "of-another-instance", secret: new Uint8Array(32).fill(8) };

export type VerifyWith = (
  path: string,
  findKey: FindBackupKey,
) => Promise<Pick<BackupManifest, "authenticity">>;

/** `table` has at least two rows. */
export async function expectAuthentication(
  { lines, seal, refuses }: BackupSample,
  path: string,
  verify: VerifyWith,
  table: string,
): Promise<void> {
  const authenticityOf = async (bytes: Uint8Array, findKey: FindBackupKey = findBackupKey) => {
    await writeFile(path, bytes);
    return (await verify(path, findKey)).authenticity;
  };
  const unchecked = (reason: string) => ({ kind: "unchecked", reason });
  const unauthentic = (reason: string) => ({ kind: "unauthentic", reason });
  const whole = packLines([...lines, seal]);
  assert.deepEqual(await authenticityOf(whole), { kind: "authentic" });
  assert.deepEqual(await authenticityOf(whole, async () => null), unchecked("no-key"));
  assert.deepEqual(await authenticityOf(whole, async () => OTHER_KEY), unauthentic("other-key"));

  const forged = /not authentic: it was changed after it was written/;
  const keepSeal = (changed: readonly string[]) => packLines([...completeLines(changed), seal]);
  const first = lines.findIndex((line) => line.startsWith(`["${table}"`));
  const second = lines.findIndex((line, at) => at > first && line.startsWith(`["${table}"`));
  assert.ok(first > 0 && second > first);
  const header = lines[0] ?? "";
  await refuses(keepSeal(lines.with(0, header.replace('"product":"', '"product":"9'))), forged);
  await refuses(keepSeal(lines.toSpliced(second, 1)), forged);
  await refuses(
    keepSeal(lines.with(first, lines[second] ?? "").with(second, lines[first] ?? "")),
    forged,
  );
  const trailer = (lines.at(-1) ?? "").replace("{", '{"more":1,');
  await refuses(packLines([...lines.with(lines.length - 1, trailer), seal]), forged);
  await refuses(
    packLines([...lines, sealLines(lines, { ...OTHER_KEY, id: BACKUP_KEY.id })]),
    forged,
  );
  await refuses(packLines([...lines, '{"hmac":""}']), forged);
  await refuses(packLines([...lines, `${seal} `]), forged);
  await refuses(packLines([...lines, seal.replace("}", ',"note":1}')]), forged);
  await refuses(packLines([...lines, "{}"]), /HMAC is missing/);
  await refuses(packLines(lines), /not complete: its end is missing/);
  await refuses(packLines([...lines, seal, seal]), /data after its end/);
  const otherAlgorithm = header.replace("hmac-sha256", "none");
  await refuses(packBackup(lines.with(0, otherAlgorithm)), /header is not valid: .*authentication/);

  const version1 = header.replace(/"version":\d/, '"version":1');
  await refuses(
    packBackup(lines.with(0, version1)),
    /has format 1 and was written by .*with the program that wrote/,
  );

  // Without its HMAC it is what anyone can make.
  const bare = header.replace(/"authentication":\{[^}]*\}/, '"authentication":null');
  assert.notEqual(bare, header);
  const stripped = packLines(completeLines(lines.with(0, bare)));
  assert.deepEqual(await authenticityOf(stripped), unauthentic("written-without-key"));
  assert.deepEqual(
    await authenticityOf(stripped, async () => null),
    unchecked("written-without-key"),
  );
  const renamed = header.replace(BACKUP_KEY.id, OTHER_KEY.id);
  const foreign = packLines([...completeLines(lines.with(0, renamed)), seal]);
  assert.deepEqual(await authenticityOf(foreign), unauthentic("other-key"));
}
