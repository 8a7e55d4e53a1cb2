/** An entity in the words of the person: the habit, or the habit and a day. */
import type { App } from "../app-context.ts";
import { formatDay } from "../days.ts";

export function describeEntity(entityId: string, { data, texts, locale }: App): string {
  const [type, id = "", day] = entityId.split("/");
  const name = data.habits.get(id)?.name ?? texts.sync.unknownHabit;
  if (type !== "entry" || day === undefined) return name;
  const date = formatDay(day, locale, { day: "numeric", month: "long" });
  return `${name}: ${texts.sync.refusedTick(date)}`;
}
