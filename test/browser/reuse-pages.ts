/** Reuses pages, because opening one takes longer than most tests. Each visit starts from a clean page. */
import type { Browser, BrowserContextOptions, Cookie, Page } from "playwright-core";
import { WIDE } from "./inspect-page.ts";

export interface PageOptions extends BrowserContextOptions {
  readonly cookies?: readonly Cookie[];
}

export type UsePage = (options: PageOptions, visit: (page: Page) => Promise<void>) => Promise<void>;

export function reusePages(browser: Browser): UsePage {
  const idlePages = new Map<string, Page>();

  return async (options, visit) => {
    const { cookies = [], viewport, colorScheme, reducedMotion, forcedColors, ...rest } = options;
    // These options cannot be changed on an open page.
    const kind = JSON.stringify(rest);
    const page = idlePages.get(kind) ?? (await (await browser.newContext(rest)).newPage());
    idlePages.delete(kind);
    const context = page.context();
    let hasLeftForApp = false;
    page.on("request", (request) => {
      hasLeftForApp ||= !request.url().startsWith("http");
    });
    try {
      await context.addCookies([...cookies]);
      await page.setViewportSize(viewport ?? WIDE);
      await page.emulateMedia({
        colorScheme: colorScheme ?? "light",
        reducedMotion: reducedMotion ?? "no-preference",
        forcedColors: forcedColors ?? "none",
      });
      await visit(page);
      // Chromium's prompt to open the app would stay open.
      if (hasLeftForApp) return await context.close();
      await reset(page);
      idlePages.set(kind, page);
    } catch (error) {
      await context.close();
      throw error;
    }
  };
}

async function reset(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.goto("about:blank");
  await page.mouse.move(0, 0);
  await page.context().clearCookies();
}
