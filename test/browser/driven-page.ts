/** What a test does with a page in a browser that Playwright cannot drive as it is installed. */
import { setTimeout as delay } from "node:timers/promises";

/** The commands of a WebDriver. A script is the text of an expression; a frame is named by a selector. */
export interface Driver {
  goto(url: string): Promise<void>;
  /** The value of the expression, which is a text. */
  evaluate(script: string, frame: string | null): Promise<string>;
  /** Clicks in the middle of the element that is the value of the expression. */
  click(script: string, frame: string | null): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
  /** As a PNG. */
  screenshot(): Promise<Buffer>;
  /** Errors and warnings in the console since the start. */
  problems(): readonly string[];
  close(): Promise<void>;
}

export interface DrivenPage extends Omit<Driver, "evaluate" | "click"> {
  /** Runs a function, which knows nothing but its argument; both values are JSON. */
  evaluate<T, A>(run: (argument: A) => T, argument: A, frame?: string): Promise<T>;
  /** Waits until the function returns something. */
  waitFor<A>(run: (argument: A) => unknown, argument: A, frame?: string): Promise<void>;
  /** Waits for the first visible element of this selector that has the text. */
  see(selector: string, text?: string, frame?: string): Promise<void>;
  /** Clicks on that element as soon as it is there. */
  click(selector: string, text?: string, frame?: string): Promise<void>;
  /** Replaces the value of a field. */
  fill(selector: string, text: string, frame?: string): Promise<void>;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

export function createDrivenPage(driver: Driver): DrivenPage {
  const page: DrivenPage = {
    ...driver,
    async evaluate(run, argument, frame) {
      const value = `JSON.stringify((${String(run)})(${JSON.stringify(argument)}) ?? null)`;
      return JSON.parse(await driver.evaluate(value, frame ?? null));
    },
    waitFor: (run, argument, frame) =>
      retry(`${String(run)} with ${JSON.stringify(argument)}`, async () => {
        if (!(await page.evaluate(run, argument, frame))) throw new Error("It returns nothing");
      }),
    async see(selector, text = "", frame) {
      await retry(`${selector} with "${text}"`, async () => {
        const found = await driver.evaluate(`String(${find(selector, text)})`, frame ?? null);
        if (found !== "undefined") return;
        const shown = await driver.evaluate("document.body.innerText", frame ?? null);
        throw new Error(`There is none in what is shown: ${shown}`);
      });
    },
    async click(selector, text = "", frame) {
      await page.see(selector, text, frame);
      // A view that is still changing may move it out of the window.
      await retry(`a click on ${selector} with "${text}"`, () =>
        driver.click(find(selector, text), frame ?? null),
      );
    },
    async fill(selector, text, frame) {
      await page.click(selector, "", frame);
      await page.evaluate(() => (document.activeElement as HTMLInputElement).select(), null, frame);
      await driver.type(text);
      const holds = (typed: string) => (document.activeElement as HTMLInputElement).value === typed;
      await page.waitFor(holds, text, frame);
    },
  };
  return page;
}

function find(selector: string, text: string): string {
  const search = (given: string, wanted: string) =>
    [...document.querySelectorAll(given)].find(
      (element) => element.checkVisibility() && (element.textContent ?? "").includes(wanted),
    );
  return `(${String(search)})(${JSON.stringify(selector)}, ${JSON.stringify(text)})`;
}

/** A page that is about to be replaced by the next one fails to respond. */
async function retry(what: string, attempt: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (Date.now() > deadline) throw new Error(`Waited for ${what}`, { cause });
      await delay(PAUSE_MS);
    }
  }
}
