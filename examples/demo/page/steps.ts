/** The buttons: what each does, one at a time, and which step is the next one. */
import { findElement } from "../../../src/web/page-script.ts";
import { ControlError, type CallDemo } from "./call-demo.ts";
import type { LogTexts } from "./log-texts.ts";
import { NotSeenError } from "./signals.ts";
import { STEPS, type StepName } from "./step-names.ts";
import type { Timeline } from "./timeline.ts";

export interface ButtonOptions {
  readonly texts: LogTexts;
  readonly timeline: Timeline;
  readonly callDemo: CallDemo;
  /** Called after each work, done or not. */
  readonly onEnd: () => void;
}

/** Returns a function that gives a button its work; one work runs at a time. */
export function createButtons({ texts, timeline, callDemo, onEnd }: ButtonOptions) {
  const buttons: HTMLButtonElement[] = [];
  let isBusy = false;

  function setBusy(busy: boolean): void {
    isBusy = busy;
    // The buttons are not `disabled`, because the focus would be lost.
    for (const button of buttons) {
      if (busy) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
  }

  async function run(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      timeline.addError("step", texts.failed(explain(await findCause(error, callDemo), texts)));
    }
    setBusy(false);
    onEnd();
  }

  return (id: string, work: () => Promise<void>): void => {
    const button = findElement(HTMLButtonElement, id);
    button.addEventListener("click", () => void run(work));
    buttons.push(button);
  };
}

/** Devices do not respond either when the demo has stopped, or another one runs in its place. */
async function findCause(error: unknown, callDemo: CallDemo): Promise<unknown> {
  if (!(error instanceof NotSeenError)) return error;
  return callDemo("store").then(
    () => error,
    (cause: unknown) => cause,
  );
}

function explain(error: unknown, texts: LogTexts): string {
  if (error instanceof NotSeenError) return texts.notSeen;
  if (!(error instanceof ControlError)) return texts.unreachable;
  return error.status === 403 ? texts.outdated : error.message;
}

/** Shows how far the person is: `start` at a step's begin, `finish` when it is done. */
export function createProgress() {
  const done = new Set<StepName>();

  function show(current: StepName | undefined): void {
    for (const name of STEPS) {
      const item = findElement(HTMLLIElement, `item-${name}`);
      const button = findElement(HTMLButtonElement, `step-${name}`);
      const isCurrent = name === current;
      if (isCurrent) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      item.dataset["done"] = String(done.has(name));
      button.classList.toggle("primary", isCurrent && !done.has(name));
      for (const word of item.querySelectorAll<HTMLElement>(".done-word")) {
        word.hidden = !done.has(name);
      }
      if (done.has(name)) button.textContent = button.dataset["again"] ?? "";
    }
  }

  show(STEPS[0]);
  return {
    start(name: StepName): void {
      show(name);
      setRunning(name, true);
    },
    /** It failed: the person may start it again. */
    stop(name: StepName): void {
      setRunning(name, false);
    },
    finish(name: StepName): void {
      done.add(name);
      const next = STEPS.find((other) => !done.has(other));
      show(next);
      // On a phone the steps are a strip that scrolls.
      if (next !== undefined) scrollTo(next);
      else findElement(HTMLAnchorElement, "onward").classList.add("button", "primary");
    },
  };
}

function setRunning(name: StepName, isRunning: boolean): void {
  findElement(HTMLLIElement, `item-${name}`).dataset["running"] = String(isRunning);
}

function scrollTo(name: StepName): void {
  const item = findElement(HTMLLIElement, `item-${name}`);
  const list = item.parentElement;
  if (list !== null && list.scrollWidth > list.clientWidth) {
    list.scrollTo({ left: item.offsetLeft - list.offsetLeft, behavior: "smooth" });
  }
}
