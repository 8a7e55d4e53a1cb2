/** The buttons of the page, of which one works at a time. */
import { findElement } from "../../../src/web/page-script.ts";
import { ControlError, type CallDemo } from "./call-demo.ts";
import type { LogTexts } from "./log-texts.ts";
import { NotSeenError } from "./signals.ts";
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
