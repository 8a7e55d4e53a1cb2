/** A collection of tasks with every kind of field, and a small Standard Schema for it. */
import assert from "node:assert/strict";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CollectionResult, SyncClient } from "../../../src/client/index.ts";

export interface TaskInput {
  title: string;
  done?: boolean;
  project?: string;
  due?: string;
  spent: number;
  tags: string[];
  position: string;
}

export interface Task extends TaskInput {
  done: boolean;
}

/** What a library makes of `{ title: string, done: boolean = false, … }`: unknown fields are stripped. */
export const Task: StandardSchemaV1<TaskInput, Task> = createSchema<TaskInput, Task>((fields) => {
  const { title, done = false, project, due, spent, tags, position } = fields;
  const issues = [
    ...check("title", typeof title === "string" && title !== "", "must be text"),
    ...check("done", typeof done === "boolean", "must be true or false"),
    ...check("project", project === undefined || typeof project === "string", "must be text"),
    ...check("due", due === undefined || typeof due === "string", "must be a date"),
    ...check("spent", typeof spent === "number", "must be a number"),
    ...check("tags", Array.isArray(tags), "must be a list"),
  ];
  if (issues.length > 0) return { issues };
  const known = { title, done, project, due, spent, tags, position };
  const present = Object.entries(known).filter(([, value]) => value !== undefined);
  return { value: Object.fromEntries(present) as unknown as Task };
});

export function createSchema<Input, Output>(
  validate: (fields: Readonly<Record<string, unknown>>) => StandardSchemaV1.Result<Output>,
): StandardSchemaV1<Input, Output> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => validate(value as Readonly<Record<string, unknown>>),
    },
  };
}

function check(field: string, isGood: boolean, message: string): StandardSchemaV1.Issue[] {
  return isGood ? [] : [{ path: [field], message }];
}

export function openTasks(client: SyncClient) {
  return client.collection("task", {
    schema: Task,
    indexes: ["project", "due"],
    kinds: { spent: "counter", tags: "set", position: "order" },
  });
}

export async function idOf(result: Promise<CollectionResult>): Promise<string> {
  const settled = await result;
  assert.ok(settled.kind === "stored", JSON.stringify(settled));
  return settled.id;
}
