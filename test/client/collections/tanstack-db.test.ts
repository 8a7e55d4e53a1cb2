/** The adapter with the real TanStack DB. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import {
  BasicIndex,
  createCollection,
  createLiveQueryCollection,
  createTransaction,
  eq,
  localOnlyCollectionOptions,
  type SyncConfig,
} from "@tanstack/db";
import {
  createMemorySyncStorage,
  type Entity,
  type SyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import {
  storeTransaction,
  trellisCollectionOptions,
} from "../../../src/client/tanstack-db/index.ts";
import { bundleTanStackAdapter } from "../../fixtures/bundle-client.ts";
import { createWorld, shown, syncAll } from "../sync/world.ts";
import { idOf, openTasks, type Task } from "./task.ts";

const NOTHING = { spent: 0, tags: [] };

interface Project {
  name: string;
}

async function openRows(t: TestContext, client: SyncClient, written: string[] = []) {
  const tasks = openTasks(client);
  const options = trellisCollectionOptions(tasks);
  const sync: SyncConfig<Entity<Task>, string> = {
    ...options.sync,
    sync: ({ write, ...given }) =>
      options.sync.sync({
        ...given,
        write(message) {
          written.push(`${message.type} ${"value" in message ? message.value.title : message.key}`);
          write(message);
        },
      }),
  };
  const index = { autoIndex: "eager", defaultIndexType: BasicIndex<string> } as const;
  const rows = createCollection({ ...options, sync, ...index });
  t.after(() => rows.cleanup());
  await rows.preload();
  return { tasks, rows };
}

/** Holds back what is written from now on. */
function holdWrites(storage: SyncStorage) {
  let gate: Promise<void> | null = null;
  return {
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    storage: {
      ...storage,
      async transaction(mode, work) {
        if (mode === "write") await gate;
        return storage.transaction(mode, work);
      },
    } satisfies SyncStorage,
  };
}

test("a live query joins collections, and only what changed is written to it", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const written: string[] = [];
  const { tasks, rows } = await openRows(t, phone, written);
  const projects = phone.collection<Project>("project");
  const projectRows = createCollection(trellisCollectionOptions(projects));
  t.after(() => projectRows.cleanup());
  const home = await idOf(projects.create({ name: "Home" }));
  for (const title of ["Milk", "Bread", "Salt"]) await idOf(tasks.create({ title, project: home }));
  const query = createLiveQueryCollection((q) =>
    q
      .from({ task: rows })
      .join({ project: projectRows }, ({ task, project }) => eq(task.project, project.id), "inner")
      .orderBy(({ task }) => task.position)
      .select(({ task, project }) => ({ id: task.id, title: task.title, project: project.name })),
  );
  await query.preload();
  const titles = () => query.toArray.map(({ title, project }) => `${project}: ${title}`);
  assert.deepEqual(titles(), ["Home: Milk", "Home: Bread", "Home: Salt"]);

  written.length = 0;
  const [milk, bread, salt] = tasks.list().map(({ id }) => id);
  assert.ok(milk && bread && salt);
  await idOf(tasks.move(salt, { first: true }));
  await idOf(tasks.patch(milk, { title: "Oat milk" }));
  await syncAll(phone, tablet);
  await idOf(openTasks(tablet).remove(bread));
  await idOf(openTasks(tablet).create({ title: "Tea", project: home }));
  await syncAll(tablet, phone);
  assert.deepEqual(titles(), ["Home: Salt", "Home: Oat milk", "Home: Tea"]);
  assert.deepEqual(written, ["update Salt", "update Oat milk", `delete ${bread}`, "insert Tea"]);
  await idOf(projects.patch(home, { name: "House" }));
  assert.deepEqual(titles(), ["House: Salt", "House: Oat milk", "House: Tea"]);
  await query.cleanup();
});

test("a mutation is shown at once and settles when it is durable", async (t) => {
  const world = await createWorld(t);
  const records = createMemorySyncStorage();
  const held = holdWrites(records);
  const client = await world.open({ storage: held.storage });
  const { rows } = await openRows(t, client);
  const release = held.hold();
  const inserted = rows.insert({ id: "milk", title: "Milk", ...NOTHING });
  let isSettled = false;
  const settled = inserted.when("settled").then(() => (isSettled = true));
  assert.deepEqual(
    rows.toArray.map(({ title, spent, tags }) => ({ title, spent, tags })),
    [{ title: "Milk", spent: 0, tags: [] }],
  );
  await client.loaded;
  assert.equal(isSettled, false);
  assert.deepEqual(shown(client), {});
  release();
  await settled;
  const reopened = await world.open({ storage: records });
  assert.equal(openTasks(reopened).get("milk")?.title, "Milk");
  assert.equal(rows.get("milk")?.position, openTasks(client).get("milk")?.position);
  await rows.update("milk", (draft) => void (draft.done = true)).when("settled");
  assert.equal(rows.get("milk")?.done, true);
  await rows.delete("milk").when("settled");
  assert.equal(rows.size, 0);
  assert.deepEqual(shown(client), {});
});

test("a refused mutation is rolled back and says why", async (t) => {
  const client = await (await createWorld(t)).open();
  const { rows } = await openRows(t, client);
  await rows.insert({ id: "milk", title: "Milk", due: "2026-01-01", ...NOTHING }).when("settled");
  const before = { ...rows.get("milk") };
  const refused = [
    [rows.update("milk", (draft) => void (draft.title = "")), /^title: must be text$/],
    // @ts-expect-error An order, which only move changes
    [rows.update("milk", (draft) => void (draft.position = "a5")), /of the kind order: use move/],
    [rows.update("milk", (draft) => void (draft.spent = NaN)), /number below/],
    // @ts-expect-error Each row has tags
    [rows.update("milk", (draft) => void delete draft.tags), /of the kind set: use addTo/],
    // @ts-expect-error A wrong type
    [rows.insert({ title: 5, ...NOTHING }), /^title: must be text$/],
    // @ts-expect-error An order, which only move changes
    [rows.insert({ title: "Bread", position: "a5", ...NOTHING }), /of the kind order: use move/],
    // @ts-expect-error A typo
    [rows.insert({ title: "Bread", prject: "home", ...NOTHING }), /has no field "prject"/],
  ] as const;
  for (const [transaction, message] of refused) {
    await assert.rejects(transaction.when("settled"), { message });
    assert.equal(transaction.state, "failed");
  }
  assert.deepEqual(rows.toArray, [before]);
  await rows.update("milk", (draft) => void delete draft.due).when("settled");
  assert.equal(Object.hasOwn(rows.get("milk") ?? {}, "due"), false);
  assert.equal(openTasks(client).get("milk")?.due, undefined);
});

test("counters and sets change by the difference, so concurrent changes of two devices stay", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const first = await openRows(t, phone);
  const second = await openRows(t, tablet);
  await first.rows.insert({ id: "milk", title: "Milk", spent: 10, tags: ["old"] }).when("settled");
  await syncAll(phone, tablet);
  const add = (rows: typeof first.rows, tag: string) =>
    rows.update("milk", (draft) => {
      draft.spent += 5;
      draft.tags = [...draft.tags.filter((one) => one !== "old"), tag];
      draft.title = `Milk, ${tag}`;
    });
  // The second of them counts from what the first one shows, before that is stored.
  await Promise.all([
    add(first.rows, "home").when("settled"),
    add(first.rows, "shop").when("settled"),
    add(second.rows, "late").when("settled"),
  ]);
  await syncAll(phone, tablet);
  for (const { rows } of [first, second]) {
    const row = rows.get("milk");
    assert.deepEqual([row?.spent, row?.tags], [25, ["home", "late", "shop"]]);
  }
});

test("a transaction over two collections is stored as a whole, or not at all", async (t) => {
  const client = await (await createWorld(t)).open();
  const { rows } = await openRows(t, client);
  const projects = createCollection(
    trellisCollectionOptions(client.collection<Project>("project")),
  );
  const local = createCollection(
    localOnlyCollectionOptions({ getKey: ({ id }: { id: string }) => id }),
  );
  for (const one of [projects, local]) t.after(() => one.cleanup());
  let changes = 0;
  client.subscribe(() => changes++);
  const create = (title: string) => {
    const transaction = createTransaction({ mutationFn: storeTransaction });
    transaction.mutate(() => {
      projects.insert({ id: title || "none", name: title });
      rows.insert([
        { title, project: title, ...NOTHING },
        { title: `${title} again`, project: title, ...NOTHING },
      ]);
      local.insert({ id: title });
    });
    return transaction.when("settled");
  };
  await create("Home");
  assert.equal(changes, 1);
  assert.deepEqual(
    rows.toArray
      .map(({ title, project }) => `${title}: ${projects.get(project ?? "")?.name}`)
      .sort(),
    ["Home again: Home", "Home: Home"],
  );
  await assert.rejects(create(""), { message: "title: must be text" });
  assert.deepEqual([projects.size, rows.size], [1, 2]);
  assert.equal(Object.keys(shown(client)).length, 3);
});

test("rows are shown before all are loaded, and then the collection is ready", async (t) => {
  const client = await (await createWorld(t)).open();
  const tasks = openTasks(client);
  await idOf(tasks.create({ title: "Milk" }));
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  let subscriptions = 0;
  const subscribe = (listener: () => void) => {
    const end = tasks.subscribe(listener);
    subscriptions++;
    return () => {
      subscriptions--;
      end();
    };
  };
  const loading = { ...tasks, subscribe, client: { ...tasks.client, loaded } };
  const rows = createCollection(trellisCollectionOptions(loading));
  const preloaded = rows.preload();
  assert.deepEqual([rows.size, rows.isReady()], [1, false]);
  resolve();
  await preloaded;
  assert.equal(rows.isReady(), true);
  await rows.cleanup();
  assert.equal(subscriptions, 0);
  await idOf(tasks.create({ title: "Bread" }));
  // A collection that nothing used begins again, from what is there by then.
  await rows.preload();
  assert.equal(rows.size, 2);
  await rows.cleanup();
});

test("the adapter is small and needs nothing at run time", async () => {
  const { code, inputs } = await bundleTanStackAdapter();
  assert.deepEqual(Object.keys(inputs).sort(), [
    "<stdin>",
    "src/client/tanstack-db/index.ts",
    "src/rules/base64url.ts",
  ]);
  const { length } = gzipSync(code);
  assert.ok(length <= 1536, `${length} compressed bytes are over 1.5 KB`);
});
