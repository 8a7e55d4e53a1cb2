/** A year of one habit: its months in small, each with how much of what was due was done. */
import { useApp } from "../app-context.ts";
import { daysOfMonth, formatDay, monthOf, weekdayOf } from "../days.ts";
import type { Habit } from "../habit.ts";
import { isPlannedOn, marksOf, rateOf, startOf, type Marks, type Rate } from "../progress.ts";
import { Period } from "./period.tsx";

export interface YearProps {
  readonly habit: Habit;
  /** The first day of the month that is shown large. */
  readonly month: string;
  readonly onMonth: (month: string) => void;
}

export function Year({ habit, month, onMonth }: YearProps) {
  const { data, texts, today, locale } = useApp();
  const marks = marksOf(data, habit);
  const year = month.slice(0, 4);
  const firstYear = startOf(habit, marks, today).slice(0, 4);
  const months = Array.from({ length: 12 }, (_, index) => monthOf(`${year}-01-01`, index));
  const rate = rateOf(habit, marks, `${year}-01-01`, `${year}-12-31`, today);
  const step = (by: 1 | -1) => {
    const next = monthOf(month, 12 * by);
    onMonth(next > monthOf(today) ? monthOf(today) : next);
  };
  return (
    <Period
      title={
        <>
          {year} <span class="meta">{describeRate(rate, locale, texts.history.ofDue)}</span>
        </>
      }
      labels={[texts.history.previousYear, texts.history.nextYear]}
      isFirst={year <= firstYear}
      isLast={year >= today.slice(0, 4)}
      onStep={step}
    >
      <div class="year">
        {months.map((first) => (
          <MiniMonth
            key={first}
            habit={habit}
            marks={marks}
            first={first}
            isShown={first === month}
            onClick={() => onMonth(first)}
          />
        ))}
      </div>
    </Period>
  );
}

/** Without words where nothing was due. */
export function describeRate(
  { done, due }: Rate,
  locale: string,
  describe: (percent: string, done: number, due: number) => string,
): string {
  if (due === 0) return "–";
  const format = new Intl.NumberFormat(locale, { style: "percent" });
  return describe(format.format(done / due), done, due);
}

interface MiniMonthProps {
  readonly habit: Habit;
  readonly marks: Marks;
  readonly first: string;
  readonly isShown: boolean;
  readonly onClick: () => void;
}

function MiniMonth({ habit, marks, first, isShown, onClick }: MiniMonthProps) {
  const { texts, today, locale } = useApp();
  const days = daysOfMonth(first);
  const rate = rateOf(habit, marks, first, days.at(-1) ?? first, today);
  const start = startOf(habit, marks, today);
  const stateOf = (day: string) =>
    marks.done.has(day)
      ? "done"
      : marks.skipped.has(day)
        ? "skipped"
        : start <= day && day <= today && isPlannedOn(habit, day)
          ? "open"
          : "free";
  return (
    <button
      type="button"
      class="mini"
      disabled={first > today}
      aria-current={isShown ? "true" : undefined}
      onClick={onClick}
    >
      <span>
        {formatDay(first, locale, { month: "short" })}
        <span class="unseen">: {describeRate(rate, locale, texts.history.ofDue)}</span>
      </span>
      <span class="mini-days">
        {days.map((day, index) => (
          <span
            key={day}
            class="cell"
            data-state={stateOf(day)}
            style={{ gridColumnStart: index === 0 ? weekdayOf(day) : undefined }}
          />
        ))}
      </span>
    </button>
  );
}
