/**
 * Screenshots for the documentation. `npm run docs:screenshots` names a folder for them; other runs of the
 * tests take none.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { reducePng } from "./reduce-png.ts";

const FOLDER = process.env["TRELLIS_SCREENSHOTS"];
const SIZE = { width: 960, height: 720 };

/** Of the page as it is, in light colours; the size of its window is as before afterwards. */
export async function takeScreenshot(
  page: Page,
  name: string,
  size: Partial<typeof SIZE> = {},
): Promise<void> {
  if (FOLDER === undefined) return;
  const before = page.viewportSize();
  await page.setViewportSize({ ...SIZE, ...size });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const png = await page.screenshot({ animations: "disabled", caret: "hide", scale: "css" });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${name}.png`), reducePng(png));
  if (before !== null) await page.setViewportSize(before);
}
