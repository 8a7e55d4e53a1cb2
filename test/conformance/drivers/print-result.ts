import { json } from "node:stream/consumers";

/**
 * The end of every driver: the task of standard input to the result on standard output. Not a top-level
 * `await` in the driver, because tests that load one with `require` cannot have it.
 */
export async function printResult<Task>(run: (task: Task) => Promise<object>): Promise<void> {
  console.log(JSON.stringify(await run((await json(process.stdin)) as Task)));
}
