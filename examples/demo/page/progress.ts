/** Which step is the next one, which one runs, and which are done, also after the page was reloaded. */
import { findElement } from "../../../src/web/page-script.ts";
import type { CallDemo } from "./call-demo.ts";
import { STEPS, type StepName } from "./step-names.ts";

/** Shows how far the person is: `start` at a step's begin, `finish` when it is done, which the demo then knows. */
export function createProgress(before: readonly StepName[], callDemo: CallDemo) {
  const done = new Set(before);

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

  function showNext(): void {
    const next = STEPS.find((other) => !done.has(other));
    show(next);
    if (next !== undefined) return scrollTo(`item-${next}`);
    findElement(HTMLAnchorElement, "onward").classList.add("button", "primary");
    findElement(HTMLLIElement, "end").hidden = false;
    scrollTo("end");
  }

  showNext();
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
      callDemo("finish", { step: name }).catch(() => {});
      showNext();
    },
  };
}

function setRunning(name: StepName, isRunning: boolean): void {
  findElement(HTMLLIElement, `item-${name}`).dataset["running"] = String(isRunning);
}

/** On a phone the steps are a strip that scrolls. */
function scrollTo(id: string): void {
  const item = findElement(HTMLLIElement, id);
  const list = item.parentElement;
  if (list !== null && list.scrollWidth > list.clientWidth) {
    list.scrollTo({ left: item.offsetLeft - list.offsetLeft, behavior: "smooth" });
  }
}
