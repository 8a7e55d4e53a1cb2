/** A month of one habit, in which past days can be corrected. */
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { daysOfMonth, formatDay, monthOf, SOME_MONDAY, weekdayOf, weekFrom } from "../days.ts";
import type { Habit } from "../habit.ts";
import { countOn, dailyTarget, isPlannedOn, isSkippedOn } from "../progress.ts";
import { setCount } from "../trellis.ts";
import { Choice } from "./choice.tsx";
import { Period } from "./period.tsx";
import { toggleSkipped } from "./skip.ts";

const MARKS = ["done", "skipped"] as const;
/** What a tap makes of a day. */
type Mark = (typeof MARKS)[number];

export interface MonthProps {
  readonly habit: Habit;
  readonly month: string;
  readonly onMonth: (month: string) => void;
}

export function Month({ habit, month, onMonth }: MonthProps) {
  const { texts, today, locale } = useApp();
  const [mark, setMark] = useState<Mark>("done");
  const days = daysOfMonth(month);
  return (
    <Period
      title={formatDay(month, locale, { month: "long", year: "numeric" })}
      labels={[texts.history.previous, texts.history.next]}
      isLast={month === monthOf(today)}
      onStep={(by) => onMonth(monthOf(month, by))}
    >
      <div class="days">
        {weekFrom(SOME_MONDAY).map((day) => (
          <span key={day} class="weekday" aria-hidden="true">
            {formatDay(day, locale, { weekday: "short" })}
          </span>
        ))}
        {days.map((day, index) => (
          <Day
            key={day}
            habit={habit}
            day={day}
            mark={mark}
            column={index === 0 ? weekdayOf(day) : undefined}
          />
        ))}
      </div>
      {habit.source === null && (
        <Choice
          legend={texts.history.tapMarks}
          name="mark"
          options={MARKS.map((value) => ({ value, label: texts.history[value] }))}
          value={mark}
          onChange={setMark}
        />
      )}
    </Period>
  );
}

interface DayProps {
  readonly habit: Habit;
  readonly day: string;
  readonly mark: Mark;
  readonly column: number | undefined;
}

function Day({ habit, day, mark, column }: DayProps) {
  const app = useApp();
  const { data, texts, today, locale, notify } = app;
  const count = countOn(data, habit, day);
  const target = dailyTarget(habit);
  const isDone = count >= target;
  const isSkipped = isSkippedOn(data, habit, day);
  const kind = isDone ? "done" : isSkipped ? "skipped" : count > 0 ? "partly" : "open";
  const state = kind === "partly" ? texts.history.partly(count, target) : texts.history[kind];
  const onClick = async () => {
    if (mark === "skipped") return toggleSkipped(app, habit, day);
    const result = await setCount(data, habit, day, isDone ? 0 : target);
    if (result.kind === "refused") notify(texts.notSaved(result.message));
  };
  return (
    <button
      type="button"
      class="calendar-day"
      style={{ gridColumnStart: column, "--part": `${Math.min(count / target, 1)}` }}
      data-state={kind === "open" && !isPlannedOn(habit, day) ? "free" : kind}
      data-today={day === today}
      disabled={day > today}
      aria-pressed={mark === "done" ? isDone : isSkipped}
      aria-label={`${formatDay(day, locale, { weekday: "long", day: "numeric", month: "long" })}: ${state}`}
      onClick={() => void onClick()}
    >
      <span>{Number(day.slice(8))}</span>
    </button>
  );
}
