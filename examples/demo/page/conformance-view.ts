/** Runs the conformance kit and shows each case as a row. */
import { createElement } from "../../../src/web/create-element.ts";
import { findElement } from "../../../src/web/page-script.ts";
import {
  CONFORMANCE_SERVICES,
  type ConformanceService,
  type RunKit,
  type ShownCase,
} from "./call-demo.ts";
import type { LogTexts } from "./log-texts.ts";

export function createConformanceView(runKit: RunKit, { conformance: texts }: LogTexts) {
  const section = findElement(HTMLElement, "conformance");
  const heading = findElement(HTMLElement, "kit");

  async function run(service: ConformanceService): Promise<void> {
    const result = findElement(HTMLElement, `result-${service}`);
    const cases = findElement(HTMLUListElement, `cases-${service}`);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    cases.replaceChildren();
    result.textContent = texts.running;
    try {
      await runKit(service, (shown) => {
        counts[shown.result]++;
        cases.append(toRow(shown, texts.results));
        cases.scrollTop = cases.scrollHeight;
      });
      result.textContent = texts.result(counts.passed, counts.failed, counts.skipped);
    } catch (error) {
      result.textContent = texts.brokeOff;
      throw error;
    }
  }

  return async (): Promise<void> => {
    section.hidden = false;
    heading.focus();
    const runs = await Promise.allSettled(CONFORMANCE_SERVICES.map(run));
    // Not before all have ended: a second click would mix the rows of two runs.
    for (const ended of runs) if (ended.status === "rejected") throw ended.reason;
  };
}

function toRow(
  { id, title, result }: ShownCase,
  words: LogTexts["conformance"]["results"],
): HTMLElement {
  const name = createElement("code", {}, id);
  return createElement(
    "li",
    { "data-result": result, title },
    name,
    createElement("span", {}, words[result]),
  );
}
