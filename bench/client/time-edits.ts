import { setTimeout as sleep } from "node:timers/promises";

/** The time between two edits of a person who is in a hurry; also lets all of the first one end. */
const PAUSE_MS = 40;

/** Returns times in milliseconds; `edit` resolves when the other device shows the edit. */
export async function timeEdits(
  count: number,
  edit: (number: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const startedAt = performance.now();
    await edit(number);
    times.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  }
  return times;
}
