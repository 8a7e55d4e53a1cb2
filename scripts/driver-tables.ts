/** The tables of the guide for drivers: tasks and results, from the schemas of the kit. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TObject } from "typebox";
import { EventsTask, EventsTaskResult } from "../conformance/events/driver/task.ts";
import { UpdateTask, UpdateTaskResult } from "../conformance/release/driver/task.ts";
import { SyncTask, SyncTaskResult } from "../conformance/sync/driver/task.ts";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";

const PAGE = "docs/guides/prove-compatibility.md";

const TABLES: Readonly<Record<string, { readonly task: TObject; readonly result: TObject }>> = {
  "driver release": { task: UpdateTask, result: UpdateTaskResult },
  "driver sync": { task: SyncTask, result: SyncTaskResult },
  "driver events": { task: EventsTask, result: EventsTaskResult },
};

export async function generateDriverTables(): Promise<GeneratedFile[]> {
  const text = await readFile(join(import.meta.dirname, "..", PAGE), "utf8");
  const content = Object.entries(TABLES).reduce(
    (page, [name, { task, result }]) =>
      replaceBlock(page, name, `${createTable("Task", task)}\n\n${createTable("Result", result)}`),
    text,
  );
  return [{ path: PAGE, content }];
}

function createTable(title: string, { properties, required }: TObject): string {
  const needed: readonly string[] = required;
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { const: word, description = "" } = schema as { const?: string; description?: string };
    const mark = needed.includes(name) ? "" : "?";
    return [`\`${name}${mark}\``, word === undefined ? description : `\`${word}\`: ${description}`];
  });
  return formatMarkdownTable([[title, "Meaning"], ...rows]);
}
