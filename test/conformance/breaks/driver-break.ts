import type { Fetch } from "../../../src/client/index.ts";
import { readBreakTable, type BreakTable } from "./break.ts";

/** One change that makes our own client, as its driver runs it, a broken one. */
export interface ClientBreak<Task> {
  /** What the broken client does. */
  readonly name: string;
  /** The cases that must fail. */
  readonly caughtBy: readonly string[];
  /** Runs the client in another way. */
  run(task: Task, run: RunClient<Task>): Promise<object>;
}

export type RunClient<Task> = (task: Task, fetch?: Fetch) => Promise<object>;

type Run<Task> = ClientBreak<Task>["run"];

export function toClientBreaks<Task>(table: BreakTable<Run<Task>>): readonly ClientBreak<Task>[] {
  return readBreakTable(table).map(({ name, caughtBy, how }) => ({ name, caughtBy, run: how }));
}

/** The client is told something else. */
export const changeTask =
  <Task>(changes: (task: Task) => Partial<NoInfer<Task>>): Run<Task> =>
  (task, run) =>
    run({ ...task, ...changes(task) });

/** The client says something else. */
export const changeResult =
  <Task, Result extends object>(change: (result: Result, task: Task) => object): Run<Task> =>
  async (task, run) =>
    change((await run(task)) as Result, task);

/** The client receives other responses to requests whose path ends so. */
export const changeResponses =
  <Task>(
    path: string,
    change: (response: Response, init: RequestInit, url: string) => Response | Promise<Response>,
  ): Run<Task> =>
  (task, run) =>
    run(task, async (url, init) => {
      const response = await fetch(url, init);
      return new URL(url).pathname.endsWith(path) ? change(response, init, url) : response;
    });
