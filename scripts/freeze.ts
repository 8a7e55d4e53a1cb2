/**
 * `npm run freeze`: makes `test/frozen/<version>/` with this build, so that every later one is tested to open it:
 * stores of each service, a dump of PostgreSQL, backups, the storages of clients, a store of ciphertext and a catalogue. It is
 * run for each release, needs PostgreSQL on this machine, and never replaces what another build has frozen.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { useDatabase } from "../src/database/open-database.ts";
import { productStamp } from "../src/database/product-stamp.ts";
import { PRODUCT_VERSION } from "../src/database/product-version.ts";
import { createCatalogFixture } from "../test/fixtures/catalog.ts";
import { freezeClients } from "./freeze/freeze-client.ts";
import type { FrozenFacts } from "./freeze/facts.ts";
import { freezeSealed } from "./freeze/freeze-sealed.ts";
import { packFolder } from "./freeze/packed-folder.ts";
import {
  createFrozenAccounts,
  dumpPostgres,
  exportEntities,
  makeBackups,
  run,
  takeStores,
  writeSettings,
} from "./freeze/freeze-stores.ts";

const FROZEN = join(import.meta.dirname, "../test/frozen", PRODUCT_VERSION);

if (existsSync(FROZEN)) {
  throw new Error(
    `${FROZEN} exists: a frozen version never changes; remove it only before its release`,
  );
}
const home = await mkdtemp(join(tmpdir(), "trellis-freeze-"));
const FOLDER = join(home, "frozen");
try {
  await mkdir(FOLDER);
  await writeFile(join(FOLDER, "facts.json"), JSON.stringify(await freeze(), null, 1));
  await packFolder(FOLDER, FROZEN);
  console.log(`${FROZEN}: commit it, and never change it`);
} finally {
  await rm(home, { recursive: true });
}

async function freeze(): Promise<FrozenFacts> {
  const now = Date.now();
  await writeSettings(home);
  await createFrozenAccounts(home);
  const shown = await freezeClients(join(home, "data"), FOLDER, now);
  const sealed = await freezeSealed(join(home, "sealed"), FOLDER, now);
  const catalogue = await freezeCatalogue();
  await makeBackups(home, FOLDER);
  const status = JSON.parse(await run(home, "sync status --json")) as { headOffset: number };
  const facts = {
    madeBy: productStamp(),
    now,
    headOffset: status.headOffset,
    entities: await exportEntities(home),
    events: await listEvents(`sqlite:${join(home, "data/events.db")}`),
    shown,
    sealed,
    ...catalogue,
  };
  await dumpPostgres(home, FOLDER);
  await takeStores(home, FOLDER);
  return facts;
}

async function listEvents(store: string): Promise<unknown[]> {
  const rows = await useDatabase(store, {}, (database) =>
    database.query<{ wire: string }>("SELECT wire FROM events_entries ORDER BY event_id"),
  );
  return rows.map(({ wire }) => JSON.parse(wire) as unknown);
}

/** Signed releases with an archive of older ones, a draft, and the private keys. */
async function freezeCatalogue() {
  const fixture = await createCatalogFixture({
    releases: 24,
    drafts: 1,
    betaEvery: 0,
    forUpdaters: true,
    settings: { targets: [] },
  });
  try {
    await cp(fixture.folder, join(FOLDER, "catalog"), { recursive: true });
    await cp(fixture.keysDir, join(FOLDER, "keys"), { recursive: true });
    const files = await readdir(join(FOLDER, "catalog"));
    if (!files.includes("archive.jsonl")) throw new Error("The catalogue has no archive");
    const { settings, releases } = fixture;
    return { product: settings.product, releases: releases.map(({ version }) => version) };
  } finally {
    await fixture.remove();
  }
}
