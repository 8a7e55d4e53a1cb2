/** What tests in a real browser look at on every page: faults of accessibility, overflow, small controls. */
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

/** Pass rules when the others cannot have changed: contrast is all that a colour scheme changes. */
export async function findAccessibilityErrors(page: Page, rules?: string[]): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(AXE);
  const { passes, violations } = await page.evaluate(
    async ([tags, rules]) => {
      const runOnly = rules === undefined ? tags : { type: "rule" as const, values: rules };
      // Everything in detail would be megabytes, and take longer to send than to find.
      const found = await window.axe.run({ runOnly, resultTypes: ["violations"] });
      return { passes: found.passes.length, violations: found.violations.map(describe) };

      function describe({ id, nodes }: Result): string {
        return `${id}: ${nodes.map(({ html }) => html).join(" ")}`;
      }
    },
    [WCAG, rules] as const,
  );
  assert.ok(passes > (rules === undefined ? 15 : 0), "axe-core looked at the page");
  return violations;
}

/** By how many pixels the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Controls under 44 pixels of height; links inside of sentences are as high as these. */
export async function findSmallControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")]
      .filter(
        (control) => control.checkVisibility() && control.closest("p.lead, .problem") === null,
      )
      .map((control) =>
        // A box and its label are one target.
        control instanceof HTMLInputElement && control.type === "checkbox"
          ? (control.labels?.[0] ?? control)
          : control,
      )
      .filter((control) => control.getBoundingClientRect().height < 44)
      .map((control) => control.outerHTML),
  );
}
