/** A habit among others: what it is, how the week went, and a large place to tick it. */
import { useApp } from "../app-context.ts";
import { formatDay, weekUntil } from "../days.ts";
import type { Habit } from "../habit.ts";
import {
  countOn,
  dailyTarget,
  daysDoneInWeek,
  isDoneOn,
  isPlannedOn,
  isSkippedOn,
} from "../progress.ts";
import { historyOf } from "../route.ts";
import { TONES } from "../tone.ts";
import { setCount } from "../trellis.ts";
import { Icon, toIconName } from "./icon.tsx";

export function HabitCard({ habit, isSelected }: { habit: Habit; isSelected: boolean }) {
  return (
    <li class="habit panel" data-id={habit.id} style={{ "--tint": TONES[habit.tone] }}>
      <a class="about" href={historyOf(habit.id)} aria-current={isSelected ? "true" : undefined}>
        <span class="symbol">
          <Icon name={toIconName(habit.icon)} />
        </span>
        <span class="words">
          <span class="name">{habit.name}</span>
          <Detail habit={habit} />
        </span>
      </a>
      <Tick habit={habit} />
    </li>
  );
}

function Detail({ habit }: { habit: Habit }) {
  const { data, texts, today, locale } = useApp();
  if (habit.source !== null) {
    const { occursOn, serviceName } = habit.source;
    const day = formatDay(occursOn, locale, { weekday: "short", day: "numeric", month: "short" });
    const isLate = occursOn < today && !isDoneOn(data, habit, today);
    return (
      <span class="fine" data-late={isLate}>
        {isLate ? texts.habit.overdue(day) : texts.habit.due(day)} · {serviceName}
      </span>
    );
  }
  return (
    <>
      <Week habit={habit} />
      {isSkippedOn(data, habit, today) ? (
        <span class="fine">{texts.habit.isSkipped}</span>
      ) : (
        habit.frequency === "weekly" && (
          <span class="fine">
            {texts.habit.thisWeek(daysDoneInWeek(data, habit, today), habit.targetCount)}
          </span>
        )
      )}
    </>
  );
}

function Week({ habit }: { habit: Habit }) {
  const { data, texts, today } = useApp();
  const days = weekUntil(today);
  const done = days.filter((day) => isDoneOn(data, habit, day));
  const stateOf = (day: string) => {
    if (done.includes(day)) return "done";
    return isPlannedOn(habit, day) && !isSkippedOn(data, habit, day) ? "open" : "free";
  };
  return (
    <span class="week" role="img" aria-label={texts.habit.lastDays(done.length)}>
      {days.map((day) => (
        <span key={day} class="dot" data-state={stateOf(day)} data-today={day === today} />
      ))}
    </span>
  );
}

function Tick({ habit }: { habit: Habit }) {
  const { data, texts, today, notify } = useApp();
  const count = countOn(data, habit, today);
  const target = dailyTarget(habit);
  const isDone = count >= target;
  const set = async (next: number) => {
    const result = await setCount(data, habit, today, next);
    if (result.kind === "refused") notify(texts.notSaved(result.message));
    return result;
  };
  const onClick = async () => {
    const result = await set(isDone ? 0 : count + 1);
    // Unticking a glass of water that was counted eight times is easily done by mistake.
    if (isDone && target > 1 && result.kind === "stored") {
      notify(texts.habit.cleared(habit.name), () => set(count));
    }
  };
  const isCounter = target > 1 && !isDone;
  return (
    <button
      type="button"
      class="tick"
      aria-pressed={isCounter ? undefined : isDone}
      aria-label={
        isCounter
          ? texts.habit.countUp(habit.name, count, target)
          : texts.habit.markDone(habit.name)
      }
      style={{ "--part": `${Math.min(count / target, 1)}` }}
      onClick={() => void onClick()}
    >
      <span class="ring">
        {isCounter ? (
          <span class="count">
            {count}
            <small>/{target}</small>
          </span>
        ) : (
          <Icon name={isSkippedOn(data, habit, today) ? "skip" : "check"} />
        )}
      </span>
    </button>
  );
}
