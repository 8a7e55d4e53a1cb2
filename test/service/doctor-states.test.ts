/** Broken states, each with the line of `trellis doctor`, its exit code, and no advice that would lose data. */
import assert from "node:assert/strict";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { startPostgres } from "../database/start-postgres.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { runInside } from "../fixtures/run-inside.ts";

interface Place {
  readonly folder: string;
  readonly path: (name: string) => string;
  /** The settings of services. */
  configure(configuration: Readonly<Record<string, object>>): Promise<void>;
}

interface State {
  readonly name: string;
  break(place: Place): Promise<unknown>;
  /** The level, the subject and the message of the line, and what it advises. */
  readonly line: RegExp;
  readonly code: 0 | 1;
  /** Only what cannot be read any more may be moved away. */
  readonly mayMove?: true;
}

interface Finding {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

const YEARS = 365 * 86_400;
const DANGEROUS = /\b(?:delete|remove|rm|DROP)\b|\bmove\b.*\baway/;
const homes: string[] = [];
after(() => Promise.all(homes.map((home) => rm(home, { recursive: true, force: true }))));

async function createPlace(source?: string): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-states-"));
  homes.push(folder);
  if (source !== undefined) await cp(source, folder, { recursive: true, preserveTimestamps: true });
  return {
    folder,
    path: (name) => join(folder, name),
    configure: (configuration) => {
      // Nothing listens there, whatever else runs on this machine.
      const closed = { baseUrl: "http://localhost:1", listen: { port: 1 } };
      const settings = Object.entries(configuration).map(([name, own]) => [
        name,
        { ...closed, ...own },
      ]);
      const text = JSON.stringify(Object.fromEntries(settings));
      return writeFile(join(folder, "trellis.config.json"), text);
    },
  };
}

async function run({ folder }: Place, words: string): Promise<void> {
  const input = "correct horse battery staple";
  const { code, stderr } = await runInside(folder, words.split(" "), { input });
  assert.equal(code, 0, `${words}: ${stderr}`);
}

async function diagnose({ folder }: Place) {
  const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return { code, findings };
}

async function check(place: Place, { line, code, mayMove }: State): Promise<void> {
  const { code: found, findings } = await diagnose(place);
  const lines = findings.map(
    ({ level, subject, message, remedy }) => `${level} ${subject}: ${message}; ${remedy ?? ""}`,
  );
  const matching = lines.filter((one) => line.test(one));
  assert.equal(matching.length, 1, lines.join("\n"));
  assert.equal(found, code, lines.join("\n"));
  const dangerous = lines.filter((one) => DANGEROUS.test(one));
  if (mayMove !== true) assert.deepEqual(dangerous, []);
}

const describeStates = (service: "sync" | "events"): readonly State[] => {
  const store = `data/${service}.db`;
  const writtenIn = async ({ path }: Place, years: number) => {
    const time = Date.now() / 1000 + years * YEARS;
    for (const file of [store, `${store}-wal`])
      await utimes(path(file), time, time).catch(() => {});
  };
  return [
    {
      name: "the key can be read by others",
      break: ({ path }) => chmod(path("data/instance.key"), 0o644),
      line: /^error \w+ key: .*instance\.key.*; until this is fixed, sign-in is not possible/,
      code: 1,
    },
    {
      name: "the key is damaged",
      break: ({ path }) => writeFile(path("data/instance.key"), "too short"),
      line: /^error \w+ key: .*instance\.key/,
      code: 1,
    },
    {
      name: "the key is gone",
      break: ({ path }) => rm(path("data/instance.key")),
      line: /^error \w+ key: the key file .* is missing, and the store needs it/,
      code: 1,
    },
    {
      name: "the store is gone",
      break: ({ path }) => rm(path(store)),
      line: /^error \w+ store: it is gone, but the high-water mark .*; put it back, or restore/,
      code: 1,
      mayMove: true,
    },
    {
      name: "the store is no database",
      break: ({ path }) => writeFile(path(store), "x".repeat(8192)),
      line: /^error \w+ store: .*not a database \(.*\); move it and its -wal .*, and restore a backup/,
      code: 1,
      mayMove: true,
    },
    {
      name: "the store is a folder",
      break: ({ path }) => rm(path(store)).then(() => mkdir(path(store))),
      line: /^error \w+ store: .*; check who may read and write/,
      code: 1,
    },
    {
      name: "the store was made by a newer version",
      async break({ path }) {
        const database = new DatabaseSync(path(store));
        database.exec(
          "INSERT INTO trellis_migration (scope, name, checksum, applied_at, version) SELECT scope, '999-later', checksum, applied_at, '99.0.0+abc' FROM trellis_migration GROUP BY scope",
        );
        database.close();
      },
      line: /^error \w+ store: The store is newer than this program: .*99\.0\.0.*; start that version/,
      code: 1,
    },
    {
      name: "the disk is full",
      // This file system never has a free block.
      break: ({ configure }) => configure({ [service]: { store: "sqlite:/proc/version" } }),
      line: /^error \w+ store: .*; free space on its disk; nothing in it is lost$/,
      code: 1,
    },
    {
      name: "the store was never made",
      break: ({ path }) => rm(path("data"), { recursive: true }),
      line: /^warning \w+ store: .* will be created on first use; create an account/,
      code: 0,
    },
    {
      name: "every user can read the store",
      break: ({ path }) => chmod(path(store), 0o644),
      line: /^warning \w+ store: every user of this machine can read .*; run `chmod o-rwx/,
      code: 0,
    },
    {
      name: "every user can write to the folder",
      break: ({ path }) => chmod(path("data"), 0o777),
      line: /^error data folder: every user can write to .*; run `chmod o-w/,
      code: 1,
    },
    {
      name: "the high-water file is gone",
      break: ({ path }) => rm(path(`data/${service}.highwater`)),
      line: /^warning \w+ store: the high-water file .* is missing, .*; start `trellis serve`/,
      code: 0,
    },
    {
      name: "the high-water file is damaged",
      break: ({ path }) => writeFile(path(`data/${service}.highwater`), '{"generation":"'),
      line: /^warning \w+ store: the high-water file .* is damaged/,
      code: 0,
    },
    {
      name: "the clock is years behind",
      break: (place) => writtenIn(place, 3),
      line: /^error clock: it shows .* was written at .*; set the clock/,
      code: 1,
    },
    {
      name: "the clock is years ahead",
      break: (place) => writtenIn(place, -3),
      line: /^warning clock: .*; if the service was in use since then, set the clock/,
      code: 0,
    },
    {
      name: "no backup was ever made",
      break: async () => {},
      line: /^warning \w+ backup: no backup has been made and verified yet; set /,
      code: 0,
    },
    {
      name: "the schedule made no backup",
      break: ({ configure }) => configure({ [service]: { backup: {} } }),
      line: /^warning \w+ backup: no backup has been made .*; start `trellis serve`/,
      code: 0,
    },
    {
      name: "the folder of backups is a file",
      async break({ configure, path }) {
        await writeFile(path("held"), "");
        await configure({ [service]: { backup: { to: "./held/backups" } } });
      },
      line: /^error \w+ backup: no backup can be stored in .* is a file; give the user/,
      code: 1,
    },
    {
      name: "what is known of the backups is of another clock",
      async break({ path }) {
        const createdAt = new Date(Date.now() + 10 * YEARS * 1000).toISOString();
        const last = { createdAt, verifiedAt: createdAt, place: "standard output", bytes: 1 };
        const state = { last: { ...last, sha256: "0", facts: {} } };
        await writeFile(path(`data/${service}.backups.json`), JSON.stringify(state));
      },
      line: /^warning \w+ backup: the last backup is dated .*, in the future/,
      code: 0,
    },
    {
      name: "the last backup was removed",
      async break(place) {
        await run(place, `${service} backup ${place.path("one.backup")}`);
        await rm(place.path("one.backup"));
      },
      line: /^warning \w+ backup: the last backup, .*one\.backup, does not exist/,
      code: 0,
    },
    {
      name: "the database server is away",
      break: ({ configure }) =>
        configure({ [service]: { store: "postgres://trellis:hunter2@127.0.0.1:1/trellis" } }),
      line: /^error \w+ store: .*the connection failed.*; check `\w+\.store` and its server/,
      code: 1,
    },
    {
      name: "no proxy or server is at the public address",
      break: async () => {},
      line: /^warning \w+\.baseUrl: http:\/\/localhost:1\S* cannot be reached .*; start the server/,
      code: 0,
    },
  ];
};

for (const service of ["sync", "events"] as const) {
  let healthy: Place;
  before(async () => {
    healthy = await createPlace();
    await healthy.configure({ [service]: {} });
    await run(healthy, `${service} account create --username ada --password-stdin`);
  });
  for (const state of describeStates(service)) {
    test(`${service}: ${state.name}`, async () => {
      const place = await createPlace(healthy.folder);
      await state.break(place);
      await check(place, state);
    });
  }
}

const RELEASE_STATES: readonly State[] = [
  {
    name: "the manifest is gone",
    break: ({ path }) => rm(path("catalog/manifest.json")),
    line: /^error manifest: it is missing, although releases are published/,
    code: 1,
  },
  {
    name: "the manifest is expired",
    async break({ path }) {
      const { folder } = await createCatalogFixture({
        releases: 3,
        now: Date.now() - 2 * YEARS * 1000,
      });
      homes.push(join(folder, ".."));
      await rm(path("catalog"), { recursive: true });
      await cp(folder, path("catalog"), { recursive: true });
    },
    line: /^error manifest: it expired on .*; run `trellis release sign`$/,
    code: 1,
  },
  {
    name: "the manifest was changed",
    async break({ path }) {
      const text = await readFile(path("catalog/manifest.json"), "utf8");
      await writeFile(
        path("catalog/manifest.json"),
        text.replace(/.{9}"\s*\}?\s*$/, 'AAAAAAAAA"}'),
      );
    },
    line: /^error catalogue: manifest\.json/,
    code: 1,
  },
  {
    name: "the catalogue is no JSON",
    break: ({ path }) => writeFile(path("catalog/catalog.json"), "{"),
    line: /^error catalogue: catalog\.json/,
    code: 1,
  },
  {
    name: "the catalogue is gone",
    break: ({ path }) => rm(path("catalog/catalog.json")),
    line: /^error catalogue: catalog\.json is missing; restore it/,
    code: 1,
  },
];

let catalog: string;
before(async () => {
  const fixture = await createCatalogFixture({ releases: 3 });
  catalog = join(fixture.folder, "..");
  homes.push(catalog);
});

for (const state of RELEASE_STATES) {
  test(`release: ${state.name}`, async () => {
    const place = await createPlace(catalog);
    await place.configure({ release: { catalog: "./catalog" } });
    await state.break(place);
    await check(place, state);
  });
}

const HOST_STATES: readonly State[] = [
  {
    name: "no instance has a backup",
    break: async () => {},
    line: /^warning 3 instances, sync backup: no backup has been made .*: a0, a1, a2; /,
    code: 0,
  },
  {
    name: "the key of one is damaged",
    break: ({ path }) => writeFile(path("data/instances/a1/instance.key"), "too short"),
    line: /^error instance a1, sync key: /,
    code: 1,
  },
  {
    name: "the store of one is gone",
    break: ({ path }) => rm(path("data/instances/a1/sync.db")),
    line: /^error instance a1, sync store: it is gone, but the high-water mark /,
    code: 1,
    mayMove: true,
  },
];

let host: Place;
before(async () => {
  host = await createPlace();
  await host.configure({ sync: {} });
  for (const name of ["a0", "a1", "a2"]) {
    await run(host, `sync instance add ${name} --base-url https://${name}.invalid`);
    await run(host, `sync account create --username ada --password-stdin --instance ${name}`);
  }
});

for (const state of HOST_STATES) {
  test(`a host of files: ${state.name}`, async () => {
    const place = await createPlace(host.folder);
    await state.break(place);
    await check(place, state);
    await checkHealthy(place);
  });
}

/** An operator of a thousand instances reads what is wrong. */
async function checkHealthy(place: Place): Promise<void> {
  const { findings } = await diagnose(place);
  const ofHealthy = findings.filter(
    ({ level, subject }) => level === "ok" && /instance/.test(subject),
  );
  assert.ok(ofHealthy.length <= 3, JSON.stringify(ofHealthy));
}

test("PostgreSQL: the schema of the address is gone, and the key of a host of healthy instances", async () => {
  const database = await (await startPostgres()).createDatabase();
  const place = await createPlace();
  await place.configure({ sync: { store: `${database}?search_path=scool` } });
  const state = { name: "", break: async () => {}, code: 1 } as const;
  await check(place, { ...state, line: /^error sync store: the schema .* does not exist/ });
  await place.configure({ sync: { store: database } });
  for (const name of ["ada", "bob"]) {
    await run(place, `sync instance add ${name} --base-url https://${name}.invalid`);
    await run(place, `sync account create --username ada --password-stdin --instance ${name}`);
  }
  await checkHealthy(place);
  await rm(place.path("data/host.key"));
  await check(place, { ...state, line: /^error sync host key: / });
});
