/** Adds a habit, or edits one. */
import { useRef, useState } from "preact/hooks";
import { formatEntityId } from "trellis/client";
import { useApp } from "../app-context.ts";
import { formatDay, weekFrom } from "../days.ts";
import { readHabit, type Frequency, type Habit, type HabitFields } from "../habit.ts";
import { historyOf, leaveTo, TODAY } from "../route.ts";
import { addHabit, editHabit } from "../trellis.ts";
import { Choice } from "./choice.tsx";
import { HABIT_ICONS, Icon, toIconName } from "./icon.tsx";
import { Page } from "./page.tsx";
import { Stepper } from "./stepper.tsx";

const COLORS = ["#2e7d5b", "#1f7a85", "#2f6fb3", "#7a5bc0", "#b8476b", "#9a6516"] as const;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const MAX_TIMES_A_DAY = 99;

export function NewHabit() {
  const { texts } = useApp();
  return (
    <Page title={texts.form.newTitle}>
      <HabitForm habit={null} />
    </Page>
  );
}

export function EditHabit({ habitId }: { habitId: string }) {
  const { entities, texts } = useApp();
  const entity = entities.get(formatEntityId("habit", habitId));
  return (
    <Page title={texts.form.editTitle} backTo={historyOf(habitId)}>
      {entity === undefined ? (
        <p class="note">{texts.history.gone}</p>
      ) : (
        <HabitForm habit={readHabit(entity)} />
      )}
    </Page>
  );
}

interface FormErrors {
  readonly name?: string;
  readonly days?: string;
  readonly form?: string;
}

function HabitForm({ habit }: { habit: Habit | null }) {
  const { sync, texts, locale } = useApp();
  // As it was when the form was opened: only what the person changed here is sent.
  const [original] = useState(habit);
  const [fields, setFields] = useState<HabitFields>(original ?? emptyHabit());
  const [errors, setErrors] = useState<FormErrors>({});
  const nameInput = useRef<HTMLInputElement>(null);
  const change = (changes: Partial<HabitFields>) => {
    setFields({ ...fields, ...changes });
    setErrors({});
  };
  const days = fields.customDays ?? [];
  const isWeekly = fields.frequency === "weekly";

  async function onSubmit(event: Event): Promise<void> {
    event.preventDefault();
    const found = findErrors(fields);
    if (found !== null) {
      setErrors(found);
      if (found.name !== undefined) nameInput.current?.focus();
      return;
    }
    const complete = completeFields(fields);
    const changes = original === null ? complete : findChanges(original, complete);
    if (original !== null && Object.keys(changes).length === 0)
      return leaveTo(historyOf(original.id));
    const result =
      original === null ? await addHabit(sync, complete) : await editHabit(sync, original, changes);
    if (result.kind === "refused") return setErrors({ form: texts.notSaved(result.message) });
    leaveTo(original === null ? TODAY : historyOf(original.id));
  }

  function emptyHabit(): HabitFields {
    return {
      name: "",
      description: null,
      color: COLORS[0],
      icon: "star",
      category: "",
      frequency: "daily",
      targetCount: 1,
      customDays: null,
    };
  }

  function findErrors({ name, frequency }: HabitFields): FormErrors | null {
    if (name.trim() === "") return { name: texts.form.nameMissing };
    if (frequency === "custom" && days.length === 0) return { days: texts.form.daysMissing };
    return null;
  }

  function completeFields(given: HabitFields): HabitFields {
    const category = given.category.trim();
    const description = given.description?.trim() ?? "";
    return {
      name: given.name.trim(),
      description: description === "" ? null : description,
      color: given.color,
      icon: given.icon,
      category: category === "" ? texts.form.defaultCategory : category,
      frequency: given.frequency,
      targetCount: isWeekly ? Math.min(given.targetCount, 7) : given.targetCount,
      customDays: given.frequency === "custom" ? days : null,
    };
  }

  return (
    <form class="stack form" noValidate onSubmit={(event) => void onSubmit(event)}>
      {errors.form !== undefined && (
        <p class="error" role="alert">
          {errors.form}
        </p>
      )}
      <div class="field">
        <label for="name">{texts.form.name}</label>
        <input
          id="name"
          ref={nameInput}
          value={fields.name}
          maxLength={200}
          autocomplete="off"
          required
          placeholder={texts.form.namePlaceholder}
          aria-invalid={errors.name === undefined ? undefined : true}
          aria-describedby={errors.name === undefined ? undefined : "name-error"}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        {errors.name !== undefined && (
          <p id="name-error" class="error" role="alert">
            {errors.name}
          </p>
        )}
      </div>
      {(original === null || original.source === null) && (
        <>
          <Choice
            legend={texts.form.howOften}
            name="frequency"
            options={(["daily", "custom", "weekly"] as const).map((value) => ({
              value,
              label: texts.form.frequency[value],
            }))}
            value={fields.frequency}
            onChange={(frequency: Frequency) => change({ frequency })}
          />
          {fields.frequency === "custom" && (
            <fieldset class="field">
              <legend>{texts.form.days}</legend>
              <div class="weekdays">
                {WEEKDAYS.map((day) => (
                  <label key={day}>
                    <input
                      type="checkbox"
                      checked={days.includes(day)}
                      aria-describedby={errors.days === undefined ? undefined : "days-error"}
                      onChange={() => change({ customDays: toggleDay(days, day) })}
                    />
                    <span>{nameOfDay(day, locale)}</span>
                  </label>
                ))}
              </div>
              {errors.days !== undefined && (
                <p id="days-error" class="error" role="alert">
                  {errors.days}
                </p>
              )}
            </fieldset>
          )}
          <Stepper
            label={isWeekly ? texts.form.timesAWeek : texts.form.timesADay}
            value={isWeekly ? Math.min(fields.targetCount, 7) : fields.targetCount}
            max={isWeekly ? 7 : MAX_TIMES_A_DAY}
            onChange={(targetCount) => change({ targetCount })}
          />
        </>
      )}
      <Choice
        legend={texts.form.icon}
        name="icon"
        look="tiles"
        options={HABIT_ICONS.map((value) => ({
          value: value as string,
          label: texts.form.icons[value],
          picture: <Icon name={value} />,
        }))}
        value={
          original !== null && fields.icon === original.icon ? toIconName(fields.icon) : fields.icon
        }
        onChange={(icon) => change({ icon })}
      />
      <Choice
        legend={texts.form.color}
        name="color"
        look="tiles"
        options={COLORS.map((value) => ({
          value: value as string,
          label: texts.form.colors[value],
          picture: <span class="swatch" style={{ "--tint": value }} />,
        }))}
        value={fields.color}
        onChange={(color) => change({ color })}
      />
      <div class="field">
        <label for="category">
          {texts.form.category} <small>{texts.form.optional}</small>
        </label>
        <input
          id="category"
          value={fields.category}
          maxLength={100}
          autocomplete="off"
          onInput={({ currentTarget }) => change({ category: currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="note">
          {texts.form.note} <small>{texts.form.optional}</small>
        </label>
        <textarea
          id="note"
          rows={3}
          maxLength={2000}
          value={fields.description ?? ""}
          onInput={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      </div>
      <div class="row end">
        <a class="button" href={original === null ? TODAY : historyOf(original.id)}>
          {texts.cancel}
        </a>
        <button type="submit" class="primary">
          {original === null ? texts.form.create : texts.save}
        </button>
      </div>
    </form>
  );
}

function toggleDay(days: readonly number[], day: number): number[] {
  return WEEKDAYS.filter((each) => (each === day ? !days.includes(day) : days.includes(each)));
}

function nameOfDay(day: number, locale: string): string {
  return formatDay(weekFrom("2024-01-01")[day - 1] ?? "", locale, { weekday: "short" });
}

function findChanges(before: HabitFields, after: HabitFields): Partial<HabitFields> {
  const entries = Object.entries(after) as [keyof HabitFields, unknown][];
  return Object.fromEntries(
    entries.filter(
      ([name, value]) => JSON.stringify(before[name] ?? null) !== JSON.stringify(value),
    ),
  );
}
