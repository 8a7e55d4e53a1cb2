/** Adds a habit, or edits one. */
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { findHabit, isDamaged, listCategories, type Habit, type HabitFields } from "../habit.ts";
import {
  completeDraft,
  EMPTY_HABIT,
  findChanges,
  findDraftError,
  type DraftError,
} from "../habit-draft.ts";
import { historyOf, leaveTo, TODAY } from "../route.ts";
import { TONE_NAMES, TONES } from "../tone.ts";
import { addHabit, editHabit } from "../trellis.ts";
import { Choice } from "./choice.tsx";
import { FrequencyFields } from "./frequency-fields.tsx";
import { HABIT_ICONS, Icon } from "./icon.tsx";
import { Page } from "./page.tsx";
import { TextField } from "./text-field.tsx";

export function NewHabit() {
  const { texts } = useApp();
  return (
    <Page title={texts.form.newTitle}>
      <HabitForm habit={null} />
    </Page>
  );
}

export function EditHabit({ habitId }: { habitId: string }) {
  const { data, texts } = useApp();
  const habit = findHabit(data, habitId);
  return (
    <Page title={texts.form.editTitle} backTo={historyOf(habitId)}>
      {habit === null ? (
        <p class="empty panel">
          {isDamaged(data, habitId) ? texts.history.damaged : texts.history.gone}
        </p>
      ) : (
        <HabitForm habit={habit} />
      )}
    </Page>
  );
}

function HabitForm({ habit }: { habit: Habit | null }) {
  const { data, texts, locale, preferences } = useApp();
  const shown = preferences.get().category;
  // As it was when the form was opened: only what the person changed here is sent.
  const [original] = useState(habit);
  const [draft, setDraft] = useState<HabitFields>(
    original ?? { ...EMPTY_HABIT, category: shown ?? "" },
  );
  const [error, setError] = useState<DraftError | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const afterwards = original === null ? TODAY : historyOf(original.id);
  const change = (changes: Partial<HabitFields>) => {
    setDraft({ ...draft, ...changes });
    setError(null);
  };

  async function onSubmit(event: Event): Promise<void> {
    event.preventDefault();
    const found = findDraftError(draft);
    setError(found);
    if (found !== null) return;
    const complete = completeDraft(draft, texts.form.defaultCategory);
    const result = await save(complete);
    if (result?.kind === "refused") return setRefused(texts.notSaved(result.message));
    // What was just made must not be hidden.
    if (shown !== null && shown !== complete.category) {
      preferences.set({ ...preferences.get(), category: null });
    }
    leaveTo(afterwards);
  }

  async function save(complete: HabitFields) {
    if (original === null) return addHabit(data, complete);
    const changes = findChanges(original, complete);
    return Object.keys(changes).length === 0 ? null : editHabit(data, original, changes);
  }

  return (
    <form class="stack" noValidate onSubmit={(event) => void onSubmit(event)}>
      {refused !== null && (
        <p class="error" role="alert">
          {refused}
        </p>
      )}
      <TextField
        id="name"
        label={texts.form.name}
        value={draft.name}
        maxLength={200}
        placeholder={texts.form.namePlaceholder}
        error={error === "name-missing" ? texts.form.nameMissing : null}
        onInput={(name) => change({ name })}
      />
      {(original === null || original.source === null) && (
        <FrequencyFields
          draft={draft}
          areDaysMissing={error === "days-missing"}
          onChange={change}
        />
      )}
      <Looks draft={draft} onChange={change} />
      <TextField
        id="category"
        label={texts.form.category}
        value={draft.category}
        maxLength={100}
        isOptional
        suggestions={listCategories(data, locale)}
        onInput={(category) => change({ category })}
      />
      <TextField
        id="note"
        label={texts.form.note}
        value={draft.description ?? ""}
        maxLength={2000}
        isOptional
        isLong
        onInput={(description) => change({ description })}
      />
      <div class="row buttons end">
        <a class="button" href={afterwards}>
          {texts.cancel}
        </a>
        <button type="submit" class="button primary">
          {original === null ? texts.form.create : texts.save}
        </button>
      </div>
    </form>
  );
}

interface LooksProps {
  readonly draft: HabitFields;
  readonly onChange: (changes: Partial<HabitFields>) => void;
}

function Looks({ draft, onChange }: LooksProps) {
  const { texts } = useApp();
  return (
    <>
      <Choice
        legend={texts.form.icon}
        name="icon"
        look="tiles"
        options={HABIT_ICONS.map((value) => ({
          value: value as string,
          label: texts.form.icons[value],
          picture: <Icon name={value} />,
        }))}
        value={draft.icon}
        onChange={(icon) => onChange({ icon })}
      />
      <Choice
        legend={texts.form.tone}
        name="tone"
        look="tiles"
        options={TONE_NAMES.map((value) => ({
          value,
          label: texts.form.tones[value],
          picture: <span class="swatch" style={{ "--tint": TONES[value] }} />,
        }))}
        value={draft.tone}
        onChange={(tone) => onChange({ tone })}
      />
    </>
  );
}
