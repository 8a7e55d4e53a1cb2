/** Checks of a page in a real browser: accessibility, overflow, small controls. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { default as Axe, Result } from "axe-core";
import type { Page } from "playwright-core";

declare global {
  interface Window {
    readonly axe: typeof Axe;
  }
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 320, height: 640 };

/** `rules` limits the check, for example to contrast after a change of the colour scheme. */
export async function findAccessibilityErrors(page: Page, rules?: string[]): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(AXE);
  const { passes, violations } = await page.evaluate(
    async ([tags, rules]) => {
      const runOnly = rules === undefined ? tags : { type: "rule" as const, values: rules };
      // The full result would be megabytes; a page in a frame has tests of its own.
      const options = { runOnly, resultTypes: ["violations" as const], iframes: false };
      const found = await window.axe.run(options);
      return { passes: found.passes.length, violations: found.violations.map(describe) };

      function describe({ id, nodes }: Result): string {
        return `${id}: ${nodes.map(({ html }) => html).join(" ")}`;
      }
    },
    [WCAG, rules] as const,
  );
  assert.ok(passes > (rules === undefined ? 15 : 0), "axe-core checked the page");
  return violations;
}

/** As a browser does whose text is set to 200 %. */
export async function doubleText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
}

/** By how many pixels the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Controls under 44 pixels of height, except links within a sentence. */
export async function findSmallControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")]
      .filter((control) => control.checkVisibility() && control.closest("p.lead, .error") === null)
      .map((control) =>
        // A checkbox and its label are one target.
        control instanceof HTMLInputElement && control.type === "checkbox"
          ? (control.labels?.[0] ?? control)
          : control,
      )
      .filter((control) => control.getBoundingClientRect().height < 44)
      .map((control) => control.outerHTML),
  );
}

/** A wide page that is light, dark, narrow, and narrow with text at twice its size. */
export async function inspectEveryLook(page: Page, name: string): Promise<void> {
  assert.deepEqual(await findAccessibilityErrors(page), [], name);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], `${name}, dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await inspectSizes(page, name);
}

/** What depends on the language, unlike what axe-core looks for: whether the words have room. */
export async function inspectSizes(page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW);
  assert.equal(await overflow(page), 0, name);
  assert.deepEqual(await findSmallControls(page), [], name);
  await doubleText(page);
  assert.equal(await overflow(page), 0, `${name}, text at twice its size`);
  await page.evaluate(() => document.documentElement.removeAttribute("style"));
  await page.setViewportSize(WIDE);
}
