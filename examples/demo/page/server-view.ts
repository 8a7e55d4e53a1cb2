/** The server between the devices: what its store holds, and the week that the devices would show of it. */
import { createElement } from "../../../src/web/create-element.ts";
import { findElement } from "../../../src/web/page-script.ts";
import type { CallDemo, ControlResults } from "./call-demo.ts";
import { createSignals } from "./signals.ts";
import { createStoredView } from "./stored-view.ts";

type Store = ControlResults["store"];

export type ServerView = ReturnType<typeof createServerView>;

const REFRESH_MS = 150;
const GENERATION_CHARACTERS = 8;

export function createServerView(callDemo: CallDemo) {
  const entities = findElement(HTMLElement, "entities");
  const operations = findElement(HTMLElement, "operations");
  const generation = findElement(HTMLElement, "generation");
  const showStored = createStoredView();
  const showWeek = createWeekView();
  const signals = createSignals<Store>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(store: Store): void {
    entities.textContent = String(store.entities);
    operations.textContent = String(store.operations);
    generation.textContent = store.generation.slice(0, GENERATION_CHARACTERS);
    showStored(store.newest);
    showWeek(store);
    signals.emit(store);
  }

  /** Calls in one moment share a request. */
  function refresh(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // While the server restarts there is nothing to show; the devices call again when it is back.
      callDemo("store").then(show, () => {});
    }, REFRESH_MS);
  }

  return { refresh, untilStore: (matches: (store: Store) => boolean) => signals.next(matches) };
}

/** Days that a restore took away stay marked until they are back; a person takes a tick away for good. */
function createWeekView() {
  const list = findElement(HTMLUListElement, "week");
  const shown = new Map<string, { done: readonly boolean[]; lost: readonly boolean[] }>();
  let shownGeneration = "";
  return ({ week, generation }: Store): void => {
    const isRestored = generation !== shownGeneration;
    shownGeneration = generation;
    list.replaceChildren(
      ...week.map(({ id, name, color, days }) => {
        const before = shown.get(id);
        const lost = days.map((isDone, index) => {
          const wasLost = before?.lost[index] === true;
          return !isDone && (wasLost || (isRestored && before?.done[index] === true));
        });
        shown.set(id, { done: days, lost });
        const all = days.map((isDone, index) => toDot(isDone, lost[index] === true));
        const dots = createElement("span", { class: "dots" }, ...all);
        dots.style.setProperty("--tint", color);
        return createElement("li", {}, createElement("span", {}, name), dots, toCount(days));
      }),
    );
  };
}

function toDot(isDone: boolean, isLost: boolean): HTMLElement {
  return createElement("i", { "data-state": isDone ? "done" : isLost ? "lost" : "open" });
}

/** For screen readers, and who counts. */
function toCount(days: readonly boolean[]): HTMLElement {
  return createElement("b", {}, `${days.filter(Boolean).length}/${days.length}`);
}
