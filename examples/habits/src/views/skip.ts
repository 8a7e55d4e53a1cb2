/** Marks a day as one that does not count, or takes that back, and offers to undo it. */
import type { App } from "../app-context.ts";
import type { Habit } from "../habit.ts";
import { countOn, isSkippedOn } from "../progress.ts";
import { setCount, skipDay } from "../trellis.ts";

export async function toggleSkipped(app: App, habit: Habit, day: string): Promise<void> {
  const { data, texts, notify } = app;
  const [count, isSkipped] = [countOn(data, habit, day), isSkippedOn(data, habit, day)];
  const result = await skipDay(data, habit, day, !isSkipped);
  if (result.kind === "refused") return notify(texts.notSaved(result.message));
  const undo = () =>
    isSkipped ? skipDay(data, habit, day, true) : setCount(data, habit, day, count);
  notify(isSkipped ? texts.habit.counts(habit.name) : texts.habit.skipped(habit.name), undo);
}
