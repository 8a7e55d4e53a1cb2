/** A month of one habit, in which past days can be corrected. */
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { daysOfMonth, formatDay, monthOf, SOME_MONDAY, weekdayOf, weekFrom } from "../days.ts";
import type { Habit } from "../habit.ts";
import { countOn, dailyTarget, isPlannedOn } from "../progress.ts";
import { setCount } from "../trellis.ts";
import { Icon } from "./icon.tsx";

export function Month({ habit }: { habit: Habit }) {
  const { texts, today, locale } = useApp();
  const [month, setMonth] = useState(monthOf(today));
  const days = daysOfMonth(month);
  const isCurrent = month === monthOf(today);
  return (
    <section class="month">
      <div class="month-bar">
        <button
          type="button"
          class="round"
          aria-label={texts.history.previous}
          onClick={() => setMonth(monthOf(month, -1))}
        >
          <Icon name="back" />
        </button>
        <h2 aria-live="polite">{formatDay(month, locale, { month: "long", year: "numeric" })}</h2>
        <button
          type="button"
          class="round"
          aria-label={texts.history.next}
          aria-disabled={isCurrent}
          onClick={() => !isCurrent && setMonth(monthOf(month, 1))}
        >
          <Icon name="next" />
        </button>
      </div>
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
            column={index === 0 ? weekdayOf(day) : undefined}
          />
        ))}
      </div>
    </section>
  );
}

interface DayProps {
  readonly habit: Habit;
  readonly day: string;
  readonly column: number | undefined;
}

function Day({ habit, day, column }: DayProps) {
  const { data, texts, today, locale, notify } = useApp();
  const count = countOn(data, habit, day);
  const target = dailyTarget(habit);
  const isDone = count >= target;
  const state = isDone
    ? texts.history.done
    : count > 0
      ? texts.history.partly(count, target)
      : texts.history.open;
  const onClick = async () => {
    const result = await setCount(data, habit, day, isDone ? 0 : target);
    if (result.kind === "refused") notify(texts.notSaved(result.message));
  };
  return (
    <button
      type="button"
      class="calendar-day"
      style={{ gridColumnStart: column, "--part": `${Math.min(count / target, 1)}` }}
      data-state={
        isDone ? "done" : count > 0 ? "partly" : isPlannedOn(habit, day) ? "open" : "free"
      }
      data-today={day === today}
      disabled={day > today}
      aria-pressed={isDone}
      aria-label={`${formatDay(day, locale, { weekday: "long", day: "numeric", month: "long" })}: ${state}`}
      onClick={() => void onClick()}
    >
      <span>{Number(day.slice(8))}</span>
    </button>
  );
}
