/** One habit: its months and years, its streak, and what can be done with it. */
import { RoundButton } from "./button.tsx";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { addDays, formatDay, monthOf, SOME_MONDAY, weekdayOf, weekFrom } from "../days.ts";
import { findHabit, isDamaged, type Habit } from "../habit.ts";
import { countOn, dailyTarget, isSkippedOn, marksOf, rateOf, streakOf } from "../progress.ts";
import { editOf, leaveTo, TODAY } from "../route.ts";
import { TONES } from "../tone.ts";
import { editHabit, setCount } from "../trellis.ts";
import { Icon, toIconName } from "./icon.tsx";
import { Month } from "./month.tsx";
import { Page } from "./page.tsx";
import { toggleSkipped } from "./skip.ts";
import { describeRate, Year } from "./year.tsx";

export function History({ habitId }: { habitId: string }) {
  const { data, texts } = useApp();
  const habit = findHabit(data, habitId);
  if (habit === null) {
    return (
      <Page title={texts.appName}>
        <p class="empty panel">
          {isDamaged(data, habitId) ? texts.history.damaged : texts.history.gone}
        </p>
      </Page>
    );
  }
  return (
    <Page
      title={habit.name}
      actions={
        <a class="button" href={editOf(habitId)}>
          {texts.history.edit}
        </a>
      }
    >
      <div class="stack" style={{ "--tint": TONES[habit.tone] }}>
        <About habit={habit} />
        <Figures habit={habit} />
        {dailyTarget(habit) > 1 && <TodayCounter habit={habit} />}
        <Calendar habit={habit} />
        {habit.isActive && (
          <p class="row centre">
            {habit.source === null && <SkipToday habit={habit} />}
            <Archive habit={habit} />
          </p>
        )}
      </div>
    </Page>
  );
}

function About({ habit }: { habit: Habit }) {
  const { texts, locale } = useApp();
  const { source, category, description } = habit;
  return (
    <section class="row buttons">
      <span class="symbol">
        <Icon name={toIconName(habit.icon)} />
      </span>
      <div>
        <p class="label">{source === null ? describeFrequency() : describeDueDay()}</p>
        <p class="meta">{source === null ? category : describeSource()}</p>
        {description !== null && description !== "" && <p class="description">{description}</p>}
      </div>
    </section>
  );

  function describeFrequency(): string {
    const { frequency, targetCount, customDays } = habit;
    const names = weekFrom(SOME_MONDAY)
      .filter((day) => (customDays ?? []).includes(weekdayOf(day)))
      .map((day) => formatDay(day, locale, { weekday: "long" }));
    const { daily, weekly, custom } = texts.history.frequency;
    if (frequency === "weekly") return weekly(targetCount);
    if (frequency === "daily") return daily(targetCount);
    return custom(new Intl.ListFormat(locale).format(names));
  }

  function describeDueDay(): string {
    const options = { weekday: "long", day: "numeric", month: "long" } as const;
    return texts.habit.due(formatDay(source?.occursOn ?? "", locale, options));
  }

  function describeSource(): string {
    return `${texts.habit.from(source?.serviceName ?? "")} · ${category}`;
  }
}

const RATE_DAYS = 30;

function Figures({ habit }: { habit: Habit }) {
  const { data, texts, today, locale } = useApp();
  if (habit.source !== null) return null;
  const marks = marksOf(data, habit);
  const rate = rateOf(habit, marks, addDays(today, 1 - RATE_DAYS), today, today);
  const streak = streakOf(data, habit, today);
  const { streakDays, streakWeeks } = texts.history;
  return (
    <dl class="figures">
      <div class="panel">
        <dt>{texts.history.streak}</dt>
        <dd>{habit.frequency === "weekly" ? streakWeeks(streak) : streakDays(streak)}</dd>
      </div>
      <div class="panel">
        <dt>{texts.history.rate(RATE_DAYS)}</dt>
        <dd>{describeRate(rate, locale, (percent) => percent)}</dd>
      </div>
      <div class="panel">
        <dt>{texts.history.total}</dt>
        <dd>{streakDays(marks.done.size)}</dd>
      </div>
    </dl>
  );
}

/** The list counts only up; here a mistake can be taken back. */
function TodayCounter({ habit }: { habit: Habit }) {
  const { data, texts, today, notify } = useApp();
  const count = countOn(data, habit, today);
  const set = async (next: number) => {
    const result = await setCount(data, habit, today, next);
    if (result.kind === "refused") notify(texts.notSaved(result.message));
  };
  return (
    <section class="counter panel">
      <p class="label" aria-live="polite">
        {texts.history.today(count, dailyTarget(habit))}
      </p>
      <RoundButton
        icon="minus"
        label={texts.history.less}
        isOff={count === 0}
        onClick={() => set(count - 1)}
      />
      <RoundButton icon="plus" label={texts.history.more} onClick={() => set(count + 1)} />
    </section>
  );
}

function Calendar({ habit }: { habit: Habit }) {
  const { today } = useApp();
  const [month, setMonth] = useState(monthOf(today));
  return (
    <>
      <Month habit={habit} month={month} onMonth={setMonth} />
      {habit.source === null && <Year habit={habit} month={month} onMonth={setMonth} />}
    </>
  );
}

function SkipToday({ habit }: { habit: Habit }) {
  const app = useApp();
  const { data, texts, today } = app;
  const isSkipped = isSkippedOn(data, habit, today);
  return (
    <button type="button" class="quiet" onClick={() => void toggleSkipped(app, habit, today)}>
      <Icon name="skip" />
      {isSkipped ? texts.history.count : texts.history.skip}
    </button>
  );
}

function Archive({ habit }: { habit: Habit }) {
  const { data, texts, notify } = useApp();
  const onClick = async () => {
    const result = await editHabit(data, habit, { isActive: false });
    if (result.kind === "refused") return notify(texts.notSaved(result.message));
    notify(texts.history.archived(habit.name), () => editHabit(data, habit, { isActive: true }));
    leaveTo(TODAY);
  };
  return (
    <button type="button" class="quiet" onClick={() => void onClick()}>
      <Icon name="archive" />
      {texts.history.archive}
    </button>
  );
}
