/** Keys for people who have a keyboard, and the panel that lists them. They are off while one types, and can be. */
import { useEffect, useRef } from "preact/hooks";
import { useApp, type App } from "../app-context.ts";
import { findHabit } from "../habit.ts";
import { ARCHIVE, NEW, ORDER, parseRoute, SETTINGS, TODAY } from "../route.ts";
import { SHORTCUT_KEYS } from "../shortcut-keys.ts";
import { useObservable } from "../use-observable.ts";
import { toggleSkipped } from "./skip.ts";

const PAGES: Readonly<Record<string, string>> = {
  n: NEW,
  t: TODAY,
  o: ORDER,
  a: ARCHIVE,
  ",": SETTINGS,
};

/** Opens the panel from elsewhere. */
export const openShortcuts = () =>
  document.querySelector<HTMLDialogElement>("#shortcuts")?.showModal();

export function Shortcuts() {
  const app = useApp();
  const { texts, preferences } = app;
  const current = useObservable(preferences);
  const latest = useRef(app);
  latest.current = app;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForApp(event)) return;
      if (event.key !== "?" && !preferences.get().hasShortcuts) return;
      if (press(event.key, latest.current)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [preferences]);
  return (
    <dialog id="shortcuts" class="panel" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{texts.shortcuts.title}</h2>
      <dl>
        {SHORTCUT_KEYS.map((key) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{texts.shortcuts.keys[key]}</dd>
          </div>
        ))}
      </dl>
      <div class="check">
        <input
          id="shortcuts-on"
          type="checkbox"
          checked={current.hasShortcuts}
          onChange={({ currentTarget }) =>
            preferences.set({ ...current, hasShortcuts: currentTarget.checked })
          }
        />
        <label for="shortcuts-on">{texts.shortcuts.areOn}</label>
      </div>
      <form method="dialog" class="row buttons end">
        <button type="submit" class="button primary">
          {texts.close}
        </button>
      </form>
    </dialog>
  );
}

/** Not what one types, nor what is the browser's, nor behind the panel. */
function isForApp({ target, ctrlKey, metaKey, altKey, isComposing, repeat, key }: KeyboardEvent) {
  if (
    ctrlKey ||
    metaKey ||
    altKey ||
    isComposing ||
    document.querySelector("dialog[open]") !== null
  ) {
    return false;
  }
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("textarea, select, input:not([type=radio], [type=checkbox])"));
  return !isTyping && (!repeat || key === "j" || key === "k");
}

/** A page with a form is left only by what says so: what one has typed would be lost. */
const FORMS: ReadonlySet<string> = new Set(["new", "edit", "import", "key", "new-key"]);

function press(key: string, app: App): boolean {
  const page = PAGES[key];
  const { view } = parseRoute(location.hash);
  if (key === "?") openShortcuts();
  else if (FORMS.has(view)) return false;
  else if (page !== undefined) location.assign(page);
  else if (key === "Escape" && view !== "today") location.assign(TODAY);
  else if (key === "j" || key === "k") focusNext(key === "j" ? 1 : -1);
  else if (key === "x") focusedCard()?.querySelector<HTMLElement>(".tick")?.click();
  else if (key === "s") skipFocused(app);
  else return false;
  return true;
}

const focusedCard = () => document.activeElement?.closest<HTMLElement>(".habit[data-id]") ?? null;

function focusNext(step: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".habit[data-id]")];
  const card = focusedCard();
  const index = card === null ? (step === 1 ? 0 : cards.length - 1) : cards.indexOf(card) + step;
  cards[index]?.querySelector<HTMLElement>(".about")?.focus();
}

function skipFocused(app: App): void {
  const habit = findHabit(app.data, focusedCard()?.dataset["id"] ?? "");
  if (habit !== null && habit.source === null) void toggleSkipped(app, habit, app.today);
}
