/** How often a habit is meant to be done. */
import { useApp } from "../app-context.ts";
import { formatDay, SOME_MONDAY, weekFrom } from "../days.ts";
import type { HabitFields } from "../habit.ts";
import { FREQUENCIES, maxTarget, toggleDay, WEEKDAYS } from "../habit-draft.ts";
import { Choice } from "./choice.tsx";
import { Stepper } from "./stepper.tsx";

export interface FrequencyFieldsProps {
  readonly draft: HabitFields;
  readonly areDaysMissing: boolean;
  readonly onChange: (changes: Partial<HabitFields>) => void;
}

export function FrequencyFields({ draft, areDaysMissing, onChange }: FrequencyFieldsProps) {
  const { texts } = useApp();
  const { frequency, targetCount, customDays } = draft;
  return (
    <>
      <Choice
        legend={texts.form.howOften}
        name="frequency"
        options={FREQUENCIES.map((value) => ({ value, label: texts.form.frequency[value] }))}
        value={frequency}
        onChange={(next) => onChange({ frequency: next })}
      />
      {frequency === "custom" && (
        <Weekdays
          days={customDays ?? []}
          error={areDaysMissing ? texts.form.daysMissing : null}
          onChange={(days) => onChange({ customDays: days })}
        />
      )}
      <Stepper
        label={frequency === "weekly" ? texts.form.timesAWeek : texts.form.timesADay}
        value={Math.min(targetCount, maxTarget(frequency))}
        max={maxTarget(frequency)}
        onChange={(next) => onChange({ targetCount: next })}
      />
    </>
  );
}

interface WeekdaysProps {
  readonly days: readonly number[];
  readonly error: string | null;
  readonly onChange: (days: number[]) => void;
}

function Weekdays({ days, error, onChange }: WeekdaysProps) {
  const { texts, locale } = useApp();
  const names = weekFrom(SOME_MONDAY).map((day) => formatDay(day, locale, { weekday: "short" }));
  return (
    <fieldset class="field">
      <legend>{texts.form.days}</legend>
      <div class="choice">
        {WEEKDAYS.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={days.includes(day)}
              aria-describedby={error === null ? undefined : "days-error"}
              onChange={() => onChange(toggleDay(days, day))}
            />
            <span>{names[day - 1]}</span>
          </label>
        ))}
      </div>
      {error !== null && (
        <p id="days-error" class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
