/** A change of the catalogue is all or nothing, wherever it stops. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { nodeFiles, type FilePort } from "../../../src/release/catalog/file-port.ts";
import { createCatalogReader, readCatalog } from "../../../src/release/catalog/read-catalog.ts";
import type {
  ChangeResult,
  CatalogContext,
} from "../../../src/release/publishing/change-catalog.ts";
import { publishRelease } from "../../../src/release/publishing/publish-release.ts";
import { withdrawRelease } from "../../../src/release/publishing/withdraw-release.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";

let fixture: CatalogFixture;
let archiving: CatalogFixture;
let home: string;

before(async () => {
  fixture = await createCatalogFixture({ releases: 4, drafts: 1, betaEvery: 0 });
  archiving = await createCatalogFixture({ releases: 21, drafts: 1, betaEvery: 0 });
  home = mkdtempSync(join(tmpdir(), "trellis-atomic-"));
});
after(async () => {
  await Promise.all([fixture.remove(), archiving.remove()]);
  rmSync(home, { recursive: true, force: true });
});

async function contextFor(name: string, files: FilePort): Promise<CatalogContext> {
  const folder = join(home, name);
  await cp(fixture.folder, folder, { recursive: true });
  return {
    folder,
    reader: createCatalogReader(folder),
    keysFolder: fixture.keysDir,
    files,
    now: Date.now,
    lockWaitMs: 0,
  };
}

/** A change that archives releases: 1.0.1 is in the archive already, and the next two follow. */
async function archivingContext(name: string, files: FilePort): Promise<CatalogContext> {
  const folder = join(home, name);
  await cp(archiving.folder, folder, { recursive: true });
  return {
    folder,
    reader: createCatalogReader(folder),
    keysFolder: archiving.keysDir,
    files,
    now: Date.now,
    lockWaitMs: 0,
  };
}

const noPassphrase = () => Promise.resolve(undefined);
const publish = (context: CatalogContext) =>
  publishRelease(context, "1.0.5", undefined, noPassphrase);
const withdraw = (context: CatalogContext) =>
  withdrawRelease(context, { version: "1.0.4", reason: "Bad", replacedBy: "1.0.3" }, noPassphrase);

/** What a reader sees: the manifest's sequence and the status of each release. */
async function view(folder: string): Promise<string> {
  const result = await readCatalog(folder, Date.now());
  assert.equal(result.kind, "loaded", JSON.stringify(result));
  if (result.kind !== "loaded") return "";
  assert.deepEqual(result.warnings, []);
  const statuses = result.catalog.releases.map(({ version, status }) => `${version} ${status}`);
  return `${result.manifest?.payload.sequence}: ${statuses.join(", ")}`;
}

type Mode = "dies before" | "dies within" | "dies after";

class Killed extends Error {}

/** Lets `steps` file-system steps happen; then the process is gone, and nothing happens any more. */
function killedAfter(steps: number, mode: Mode): { files: FilePort; steps(): number } {
  let taken = 0;
  let isDead = false;
  const step = (act: () => void, half: () => void) => {
    if (isDead) throw new Killed();
    if (++taken !== steps) return act();
    isDead = true;
    if (mode === "dies within") half();
    if (mode === "dies after") act();
    throw new Killed();
  };
  const nothing = () => {};
  const files: FilePort = {
    ...nodeFiles,
    makeFolder: (path) => step(() => nodeFiles.makeFolder(path), nothing),
    write: (path, content) =>
      step(
        () => nodeFiles.write(path, content),
        () => writeFileSync(path, content.slice(0, content.length / 2)),
      ),
    append: (path, offset, content) =>
      step(
        () => nodeFiles.append(path, offset, content),
        () => nodeFiles.append(path, offset, content.slice(0, content.length / 2)),
      ),
    rename: (from, to) => step(() => nodeFiles.rename(from, to), nothing),
    remove: (path) => step(() => nodeFiles.remove(path), nothing),
    syncFolder: (path) => step(() => nodeFiles.syncFolder(path), nothing),
  };
  return { files, steps: () => taken };
}

for (const [name, change, old, next] of [
  [
    "publish",
    publish,
    "1: 1.0.5 draft, 1.0.4 published, 1.0.3 published, 1.0.2 published, 1.0.1 published",
    "2: 1.0.5 published, 1.0.4 published, 1.0.3 published, 1.0.2 published, 1.0.1 published",
  ],
  [
    "withdraw",
    withdraw,
    "1: 1.0.5 draft, 1.0.4 published, 1.0.3 published, 1.0.2 published, 1.0.1 published",
    "2: 1.0.5 draft, 1.0.4 withdrawn, 1.0.3 published, 1.0.2 published, 1.0.1 published",
  ],
] as const) {
  describe(`${name} killed at any file-system step leaves the old or the new catalogue`, () => {
    for (const mode of ["dies before", "dies within", "dies after"] as const) {
      test(`${mode} the step`, async () => {
        const seen = new Set<string>();
        for (let stop = 1; ; stop++) {
          const killed = killedAfter(stop, mode);
          const context = await contextFor(
            `${name}-${mode}-${stop}`.replaceAll(" ", "-"),
            killed.files,
          );
          const result = await ending(change(context));
          const left = await view(context.folder);
          assert.ok(left === old || left === next, left);
          seen.add(left);
          if (result === "done") {
            assert.equal(left, next);
            if (killed.steps() < stop) break;
          }
          // The next command finds a valid catalogue, and finishes the change.
          const retry = await change({ ...context, files: nodeFiles });
          assert.equal(retry.kind, left === old ? "done" : "refused");
          assert.equal(await view(context.folder), next);
          assert.equal(existsSync(join(context.folder, ".transaction.json")), false);
          const release = readFileSync(join(context.folder, "releases/1.0.5.json"), "utf8");
          assert.equal(JSON.parse(release).status, name === "publish" ? "published" : "draft");
          await rm(context.folder, { recursive: true });
        }
        assert.deepEqual(seen, new Set([old, next]));
      });
    }
  });
}

describe("a publication that archives, killed at any file-system step, leaves the old or the new catalogue", () => {
  for (const mode of ["dies before", "dies within", "dies after"] as const) {
    test(`${mode} the step`, async () => {
      const publishNext = (context: CatalogContext) =>
        publishRelease(context, "1.2.2", undefined, noPassphrase);
      const seen = new Set<string>();
      for (let stop = 1; ; stop++) {
        const killed = killedAfter(stop, mode);
        const context = await archivingContext(
          `archive-${mode}-${stop}`.replaceAll(" ", "-"),
          killed.files,
        );
        const result = await ending(publishNext(context));
        const left = await viewHistory(context.folder);
        assert.ok(left === OLD_HISTORY || left === NEW_HISTORY, left);
        seen.add(left);
        if (result === "done" && killed.steps() < stop) break;
        // The next command finds a valid catalogue, and finishes the change.
        const retry = await publishNext({ ...context, files: nodeFiles });
        assert.equal(retry.kind, left === OLD_HISTORY ? "done" : "refused");
        assert.equal(await viewHistory(context.folder), NEW_HISTORY);
        assert.equal(existsSync(join(context.folder, ".transaction.json")), false);
        const files = readdirSync(join(context.folder, "releases"));
        assert.equal(files.filter((name) => !name.startsWith(".")).length, 20);
        await rm(context.folder, { recursive: true });
      }
      assert.deepEqual(seen, new Set([OLD_HISTORY, NEW_HISTORY]));
    });
  }
});

const OLD_HISTORY = "1: 1 archived, 1.2.2 draft, 21 published";
const NEW_HISTORY = "2: 2 archived, 1.2.2 published, 22 published";

/** The same for a history that is partly in the archive; each release is read as a whole. */
async function viewHistory(folder: string): Promise<string> {
  const result = await readCatalog(folder, Date.now());
  assert.equal(result.kind, "loaded", JSON.stringify(result));
  if (result.kind !== "loaded") return "";
  assert.deepEqual(result.warnings, []);
  const { releases, archive } = result.catalog;
  for (const { notes, artifacts } of releases) assert.ok(notes.added.length * artifacts.length > 0);
  const published = releases.filter(({ status }) => status === "published").length;
  const [newest] = releases;
  const { sequence } = result.manifest?.payload ?? {};
  return `${sequence}: ${archive?.entries.size} archived, ${newest?.version} ${newest?.status}, ${published} published`;
}

async function ending(change: Promise<ChangeResult<unknown>>): Promise<string> {
  try {
    return (await change).kind;
  } catch (error) {
    if (error instanceof Killed) return "killed";
    throw error;
  }
}

/** The disk is full from the given write on; everything else still works. */
function fullFrom(write: number): { files: FilePort; writes(): number } {
  let writes = 0;
  const files: FilePort = {
    ...nodeFiles,
    write: (path, content) => {
      if (++writes < write) return nodeFiles.write(path, content);
      writeFileSync(path, content.slice(0, 10));
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
        code: "ENOSPC",
        syscall: "write",
        path,
      });
    },
  };
  return { files, writes: () => writes };
}

describe("a full disk loses nothing and says what to do", () => {
  test("before the change is recorded nothing changes and nothing is left behind", async () => {
    const context = await contextFor("full-1", fullFrom(1).files);
    const before = await view(context.folder);
    const result = await publish(context);
    assert.equal(result.kind, "refused");
    assert.match(result.kind === "refused" ? result.message : "", /^Nothing was changed: .*free/);
    assert.equal(await view(context.folder), before);
    const left = readdirSync(context.folder).filter((name) => name.endsWith(".tmp"));
    assert.deepEqual(left, []);
  });

  for (const write of [2, 3]) {
    test(`once it is recorded it is in force, and the next command finishes it (write ${write})`, async () => {
      const context = await contextFor(`full-${write}`, fullFrom(write).files);
      const result = await publish(context);
      assert.equal(result.kind, "done");
      assert.match(result.kind === "done" ? (result.notice ?? "") : "", /recorded.*free some/);
      const seen = await view(context.folder);
      assert.match(seen, /^2: 1\.0\.5 published/);
      const next = await publish({ ...context, files: nodeFiles });
      assert.equal(next.kind, "refused");
      assert.equal(existsSync(join(context.folder, ".transaction.json")), false);
      assert.equal(await view(context.folder), seen);
    });
  }
});

test("a damaged journal is reported and prevents changes", async () => {
  const context = await contextFor("damaged", nodeFiles);
  const journal = join(context.folder, ".transaction.json");
  for (const text of [
    "{",
    '{"schemaVersion":1,"files":[{"file":"../outside.json","content":"{}"}]}',
    '{"schemaVersion":1,"files":[{"file":"releases/../../outside.json","content":"{}"}]}',
    '{"schemaVersion":2,"files":[]}',
  ]) {
    writeFileSync(journal, text);
    const read = await readCatalog(context.folder, Date.now());
    assert.equal(read.kind === "invalid" && read.errors[0]?.file, ".transaction.json");
    assert.equal((await publish(context)).kind, "refused");
    assert.equal(existsSync(join(home, "outside.json")), false);
    assert.equal(readFileSync(journal, "utf8"), text);
  }
});
