/** The list of habits. */
import { useEffect, useState } from "preact/hooks";
import { isSignedOut, signIn, useApp } from "../app-context.ts";
import { formatDay } from "../days.ts";
import { listCategories, listHabits, listDamaged, type Habit } from "../habit.ts";
import { isFinishedToday, isForToday, isSkippedOn } from "../progress.ts";
import { useObservable } from "../use-observable.ts";
import type { AppEncryption } from "../encryption.ts";
import { ARCHIVE, KEY, NEW, ORDER, SETTINGS, UPDATE } from "../route.ts";
import { TONES } from "../tone.ts";
import { addHabit, deleteAll } from "../trellis.ts";
import type { Updates } from "../updates.ts";
import { Button } from "./button.tsx";
import { Call } from "./call.tsx";
import { Categories } from "./categories.tsx";
import { HabitCard } from "./habit-card.tsx";
import { Icon } from "./icon.tsx";
import { StatusChip } from "./status-chip.tsx";

export interface TodayProps {
  /** Of the habit that is open beside the list. */
  readonly selectedId: string | null;
  /** Whether the list stands beside another view, which has the focus and the main heading. */
  readonly isBeside: boolean;
}

export function Today({ selectedId, isBeside }: TodayProps) {
  const app = useApp();
  const { data, texts, today, locale, updates, encryption, preferences } = app;
  const { category, isGrouped } = useObservable(preferences);
  const Heading = isBeside ? "h2" : "h1";
  const Content = isBeside ? "div" : "main";
  useEffect(() => {
    if (!isBeside) document.title = texts.appName;
  }, [isBeside, texts]);
  const all = listHabits(data);
  const active = all.filter(({ isActive }) => isActive);
  const categories = listCategories(data, locale);
  // Its last habit may be gone.
  const chosen = category !== null && categories.includes(category) ? category : null;
  const habits = active.filter((habit) => chosen === null || habit.category === chosen);
  const groups = isGrouped && chosen === null && categories.length > 1 ? categories : null;
  const planned = habits.filter((habit) => isForToday(data, habit, today));
  const others = habits.filter((habit) => !planned.includes(habit) && habit.source === null);
  const hasArchive = active.length < all.length;
  const toCard = (habit: Habit) => (
    <HabitCard key={habit.id} habit={habit} isSelected={habit.id === selectedId} />
  );
  return (
    <>
      <header class="day">
        <Heading>{formatDay(today, locale, { weekday: "long" })}</Heading>
        <a class="round" href={SETTINGS} aria-label={texts.today.settings}>
          <Icon name="settings" />
        </a>
        <div class="row">
          <p>{formatDay(today, locale, { day: "numeric", month: "long" })}</p>
          <StatusChip />
        </div>
      </header>
      <Content id={isBeside ? undefined : "content"} class="list">
        {updates !== null && <UpdateStrip updates={updates} />}
        {active.length === 0 ? <Beginning /> : <Progress planned={planned} />}
        {categories.length > 1 && <Categories categories={categories} chosen={chosen} />}
        {groups === null && <ul class="habits">{planned.map(toCard)}</ul>}
        {groups?.map((group) => {
          const members = planned.filter((habit) => habit.category === group);
          return (
            members.length > 0 && (
              <section key={group} class="habits" aria-label={group}>
                <p class="meta">{group}</p>
                <ul class="habits">{members.map(toCard)}</ul>
              </section>
            )
          );
        })}
        {others.length > 0 && (
          <section class="habits">
            <p class="meta">{texts.today.otherDays}</p>
            <ul class="habits">{others.map(toCard)}</ul>
          </section>
        )}
        <DamagedCard />
        <UnreadableCard />
        <SignInCard hasHabits={active.length > 0} />
        {encryption !== null && <KeyCard encryption={encryption} />}
        {(hasArchive || active.length > 1) && (
          <p class="row centre">
            {active.length > 1 && (
              <a class="quiet" href={ORDER}>
                <Icon name="handle" />
                {texts.today.order}
              </a>
            )}
            {hasArchive && (
              <a class="quiet" href={ARCHIVE}>
                <Icon name="archive" />
                {texts.today.archive}
              </a>
            )}
          </p>
        )}
        <p class="add-bar">
          <a class="button primary add" href={NEW}>
            <Icon name="plus" />
            {texts.today.add}
          </a>
        </p>
      </Content>
    </>
  );
}

function Progress({ planned }: { planned: readonly Habit[] }) {
  const { data, texts, today } = useApp();
  const due = planned.filter((habit) => !isSkippedOn(data, habit, today));
  if (due.length === 0) return null;
  const done = due.filter((habit) => isFinishedToday(data, habit, today)).length;
  const isAllDone = done === due.length;
  return (
    <div class="progress meta">
      <p>{isAllDone ? texts.today.allDone : texts.today.progress(done, due.length)}</p>
      <progress value={done} max={due.length} aria-hidden="true" />
    </div>
  );
}

/** Suggestions are for a person without habits: before the first sync is complete, the app cannot know that. */
function Beginning() {
  const { sync, status, texts } = useApp();
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => void sync.loaded.then(() => setIsLoaded(true)), [sync]);
  const { kind, lastSyncedAt } = status;
  if (!isLoaded) return null;
  if (kind === "signed-out" || lastSyncedAt !== null) return <Empty />;
  // A card below says what to do.
  if (isSignedOut(status) || kind === "key-needed") return null;
  return (
    <section class="empty panel" aria-live="polite">
      <h2 class="empty-title">{texts.today.fetchingTitle}</h2>
      <p>{kind === "offline" ? texts.today.fetchingOffline : texts.today.fetchingText}</p>
    </section>
  );
}

function Empty() {
  const { data, texts, notify } = useApp();
  const add = async (suggestion: (typeof texts.today.suggestions)[number]) => {
    const fields = {
      ...suggestion,
      description: null,
      frequency: "daily",
      customDays: null,
    } as const;
    const result = await addHabit(data, fields);
    if (result.kind === "refused") notify(texts.notSaved(result.message));
  };
  return (
    <section class="list">
      <div class="empty panel">
        <h2 class="empty-title">{texts.today.emptyTitle}</h2>
        <p>{texts.today.emptyText}</p>
      </div>
      <ul class="habits">
        {texts.today.suggestions.map((suggestion) => (
          <li key={suggestion.icon}>
            <button
              type="button"
              class="suggestion panel"
              style={{ "--tint": TONES[suggestion.tone] }}
              aria-label={texts.today.addSuggestion(suggestion.name)}
              onClick={() => void add(suggestion)}
            >
              <span class="symbol">
                <Icon name={suggestion.icon as "drop"} />
              </span>
              {suggestion.name}
              <Icon name="plus" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a server or another app has stored, and this app cannot show. */
function DamagedCard() {
  const { data, texts, notify } = useApp();
  const damaged = listDamaged(data);
  if (damaged.length === 0) return null;
  const remove = () => notify(texts.today.damagedDeleted(damaged.length), deleteAll(damaged));
  return (
    <Call isUrgent title={texts.today.damaged(damaged.length)} text={texts.today.damagedText}>
      <Button look="danger" onClick={remove}>
        {texts.archive.delete}
      </Button>
    </Call>
  );
}

/** What the server sent and this device refuses, because the person's key does not open it. */
function UnreadableCard() {
  const { sync, texts } = useApp();
  const { length } = sync.unreadable.list();
  if (length === 0) return null;
  return (
    <Call
      isUrgent
      title={texts.encryption.unreadableTitle(length)}
      text={texts.encryption.unreadableText}
    >
      <a class="button" href={SETTINGS}>
        {texts.today.settings}
      </a>
    </Call>
  );
}

function SignInCard({ hasHabits }: { hasHabits: boolean }) {
  const app = useApp();
  const { status, texts } = app;
  if (!isSignedOut(status)) return null;
  const isNeeded = status.kind !== "signed-out";
  const [title, text] = isNeeded
    ? [texts.sync.neededTitle, texts.sync.explain[status.kind]]
    : hasHabits
      ? [texts.sync.cardTitle, texts.sync.cardText]
      : [null, texts.today.alreadyElsewhere];
  return (
    <Call isUrgent={isNeeded} title={title} text={text}>
      <Button onClick={() => void signIn(app)}>{texts.sync.signIn}</Button>
    </Call>
  );
}

/** What is left to do for the key: to give it to this device, or to keep it. */
function KeyCard({ encryption }: { encryption: AppEncryption }) {
  const { status, texts } = useApp();
  const isToKeep = useObservable(encryption.isKeyToKeep);
  const { kind } = encryption.keys.state;
  const isNeeded = kind !== "ready" && kind !== "unknown";
  if (isSignedOut(status) || (!isNeeded && !isToKeep)) return null;
  const { needed, goOn, keepTitle, keepText, keepAction } = texts.encryption;
  return (
    <Call
      isUrgent
      title={isNeeded ? needed : keepTitle}
      text={isNeeded ? texts.sync.explain["key-needed"] : keepText}
    >
      <a class="button" href={KEY}>
        {isNeeded ? goOn : keepAction}
      </a>
    </Call>
  );
}

function UpdateStrip({ updates }: { updates: Updates }) {
  const { texts } = useApp();
  const result = useObservable(updates.result);
  if (result?.kind !== "update-available") return null;
  const { release, mandatory, unsupported, withdrawn } = result;
  const isUrgent = mandatory || unsupported || withdrawn !== null;
  return (
    <Call
      isUrgent={isUrgent}
      title={
        isUrgent ? texts.update.mandatory(release.version) : texts.update.here(release.version)
      }
    >
      <a class="button" href={UPDATE}>
        {texts.update.whatsNew}
      </a>
    </Call>
  );
}
