/** Archived habits: bring one back, or delete it with its history. */
import { Button } from "./button.tsx";
import { useApp } from "../app-context.ts";
import { listHabits, type Habit } from "../habit.ts";
import { doneDays } from "../progress.ts";
import { historyOf } from "../route.ts";
import { TONES } from "../tone.ts";
import { deleteHabit, editHabit } from "../trellis.ts";
import { Icon, toIconName } from "./icon.tsx";
import { Page } from "./page.tsx";

export function ArchiveView() {
  const { data, texts } = useApp();
  const habits = listHabits(data).filter(({ isActive }) => !isActive);
  return (
    <Page title={texts.archive.title}>
      {habits.length === 0 ? (
        <p class="empty panel">{texts.archive.empty}</p>
      ) : (
        <ul class="habits">
          {habits.map((habit) => (
            <ArchivedHabit key={habit.id} habit={habit} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function ArchivedHabit({ habit }: { habit: Habit }) {
  const { data, texts, notify } = useApp();
  const { name, source } = habit;
  const bringBack = async () => {
    const result = await editHabit(data, habit, { isActive: true });
    notify(
      result.kind === "stored" ? texts.archive.restored(name) : texts.notSaved(result.message),
    );
  };
  const remove = () => notify(texts.archive.deleted(name), deleteHabit(data, habit));
  return (
    <li class="habit archived panel" style={{ "--tint": TONES[habit.tone] }}>
      <a class="about" href={historyOf(habit.id)}>
        <span class="symbol">
          <Icon name={toIconName(habit.icon)} />
        </span>
        <span class="words">
          <span class="name">{name}</span>
          <span class="fine">
            {source === null
              ? texts.history.streakDays(doneDays(data, habit).length)
              : texts.archive.keepsImported}
          </span>
        </span>
      </a>
      <div class="row buttons">
        <Button aria-label={texts.archive.restoreHabit(name)} onClick={() => void bringBack()}>
          {texts.archive.restore}
        </Button>
        {source === null && (
          <Button look="danger" aria-label={texts.archive.deleteHabit(name)} onClick={remove}>
            {texts.archive.delete}
          </Button>
        )}
      </div>
    </li>
  );
}
