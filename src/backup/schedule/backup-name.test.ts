import assert from "node:assert/strict";
import { test } from "node:test";
import { backupName, backupPrefix, isBackupDraft, parseBackupName } from "./backup-name.ts";

const key = (text: string) => ({
  id: Buffer.from(text).toString("base64url"),
  secret: new Uint8Array(),
});
const PREFIX = backupPrefix("sync", key("one instance"));
const AT = Date.parse("2026-01-31T00:00:07Z");
const NAME = backupName(PREFIX, AT);

test("a name tells the service, the key and the time", () => {
  assert.equal(NAME, "sync-6f6e6520-20260131T000007Z.backup");
  assert.equal(parseBackupName(PREFIX, NAME), AT);
  const encrypted = backupName(PREFIX, AT, true);
  assert.equal(encrypted, `${NAME}.age`);
  assert.equal(parseBackupName(PREFIX, encrypted), AT);
});

test("no other file is taken for a backup of this instance", () => {
  for (const name of [
    "sync-2026-01-31.backup",
    `${NAME}.old`,
    `${NAME}.age.age`,
    NAME.replace(".backup", ".age"),
    `x${NAME}`,
    NAME.replace("0131", "0231"),
    NAME.replace("sync", "events"),
    backupName(backupPrefix("sync", key("another one")), AT),
    `${PREFIX}.backup`,
    `${NAME}.0123456789ab.partial`,
  ]) {
    assert.equal(parseBackupName(PREFIX, name), null, name);
  }
});

test("drafts and scratch stores of this instance are told from everything else", () => {
  const draft = `${NAME}.0123456789ab.partial`;
  assert.equal(isBackupDraft(PREFIX, draft), true);
  assert.equal(isBackupDraft(PREFIX, `${draft}.0123456789ab.scratch`), true);
  assert.equal(isBackupDraft(PREFIX, draft.replace(".backup", ".backup.age")), true);
  assert.equal(isBackupDraft(PREFIX, NAME), false);
  assert.equal(isBackupDraft(PREFIX, "mine.0123456789ab.partial"), false);
  assert.equal(isBackupDraft(PREFIX, draft.replace("sync", "events")), false);
});
