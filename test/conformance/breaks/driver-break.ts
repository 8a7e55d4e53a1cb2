import type { Fetch } from "../../../src/client/index.ts";

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
