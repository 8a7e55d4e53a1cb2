/** The hooks as a server renders them; the tasks app shows in a browser that they follow changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import type { Entity, QuerySnapshot, SyncStatus } from "../../../src/client/index.ts";
import { useEntity, useQuery, useSyncStatus } from "../../../src/client/react/index.ts";
import { createWorld } from "../sync/world.ts";
import { idOf, openTasks, type Task } from "./task.ts";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
function holds<_Claim extends true>(): void {}

test("the hooks show rows, an entity and the status, with the types of the collection", async (t) => {
  const client = await (await createWorld(t)).open();
  const tasks = openTasks(client);
  for (const due of ["2026-02-01", "2026-01-01", "2027-01-01"]) {
    await idOf(tasks.create({ title: `until ${due}`, due }, { id: due }));
  }
  function Screen({ id }: { id: string | null }): string {
    const shown = useQuery(tasks, { where: { due: { to: "2026-12-31" } }, orderBy: "due" });
    holds<Equal<typeof shown, QuerySnapshot<Task>>>();
    const task = useEntity(tasks, id);
    holds<Equal<typeof task, Entity<Task> | undefined>>();
    const status = useSyncStatus(client);
    holds<Equal<typeof status, SyncStatus>>();
    const titles = shown.rows.map(({ title }) => title).join(", ");
    return `${titles} (${shown.isComplete}); ${task?.title}; ${status.kind} ${status.pending}`;
  }
  const show = (id: string | null) => renderToString(createElement(Screen, { id }));
  const rows = "until 2026-01-01, until 2026-02-01 (true)";
  assert.equal(show("2027-01-01"), `${rows}; until 2027-01-01; signed-out 3`);
  assert.equal(show(null), `${rows}; undefined; signed-out 3`);
});

test("a query of a compound index has the types of the collection in a hook too", async (t) => {
  const client = await (await createWorld(t)).open();
  interface Bill {
    readonly category: string;
    readonly date: string;
  }
  type Index = "date" | readonly ["category", "date"];
  const bills = client.collection<Bill, {}, Index>("bill", {
    indexes: ["date", ["category", "date"]],
  });
  for (const date of ["2026-02-01", "2026-01-01"]) {
    await idOf(bills.create({ category: "food", date }, { id: date }));
  }
  const show = (screen: () => string) => renderToString(createElement(screen));
  const idsOf = ({ rows }: QuerySnapshot<Bill>) => rows.map(({ id }) => id).join(" ");
  const byDate = () => idsOf(useQuery(bills, { where: { category: "food" }, orderBy: "date" }));
  const byBoth = () => idsOf(useQuery(bills, { orderBy: ["category", "date"], desc: true }));
  assert.equal(show(byDate), "2026-01-01 2026-02-01");
  assert.equal(show(byBoth), "2026-02-01 2026-01-01");
});

test("a hook with a query that the collection cannot have does not compile, and throws", async (t) => {
  const tasks = openTasks(await (await createWorld(t)).open());
  // @ts-expect-error A field without an index
  const Wrong = () => String(useQuery(tasks, { orderBy: "title" }));
  assert.throws(() => renderToString(createElement(Wrong)), /declare "title" in the indexes/);
  // @ts-expect-error No id
  const NoId = () => String(useEntity(tasks, 5));
  assert.equal(renderToString(createElement(NoId)), "undefined");
});
