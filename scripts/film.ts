/**
 * Films the second step of the demo for the landing pages: two devices go offline, edit the same habit and merge. It
 * needs ffmpeg, which nothing else does, so no script installs it.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startDemo } from "../examples/demo/start-demo.ts";
import { createLineWriter } from "../src/http/request-log.ts";
import { launchChromium } from "../test/browser/launch-chromium.ts";
import { FILMS, FILM_SIZE } from "../site/film.ts";

const ROOT = join(import.meta.dirname, "..");
/** H.264 plays everywhere; the file ends before it grows beyond what a repository should have. */
const OPTIONS =
  "-v error -y -f concat -i frames.txt -vf fps=12 -c:v libx264 -preset veryslow -crf 28 -pix_fmt yuv420p -movflags +faststart -fs 300000".split(
    " ",
  );
/** How long the page is shown before and after the step. */
const STILL_MS = 2500;

interface Frame {
  readonly jpeg: Buffer;
  /** Seconds since 1970. */
  readonly at: number;
}

const browser = await launchChromium();
try {
  for (const { path, poster, locale } of Object.values(FILMS)) {
    const frames = await filmStep(browser, locale);
    await encode(frames, join(ROOT, path));
    runFfmpeg(["-v", "error", "-y", "-i", path, "-frames:v", "1", poster], ROOT);
  }
} finally {
  await browser.close();
}

/** A demo of its own: the step finds the habit as it was. */
async function filmStep(chromium: Browser, locale: string): Promise<Frame[]> {
  const { signal } = new AbortController();
  const demo = await startDemo({ isHeadless: false, log: createLineWriter(() => {}), signal });
  const context = await chromium.newContext({ locale, viewport: FILM_SIZE, colorScheme: "light" });
  try {
    const page = await context.newPage();
    await page.goto(demo.pageUrl ?? "");
    await page.locator("#step-offline:enabled").waitFor();
    for (const device of ["phone", "laptop"]) {
      await page.frameLocator(`#${device}-frame`).locator(".habit").first().waitFor();
    }
    return await recordFrames(page, async () => {
      await page.waitForTimeout(STILL_MS);
      await page.click("#step-offline");
      await page.locator('#item-offline[data-running="false"]').waitFor();
      await page.waitForTimeout(STILL_MS);
    });
  } finally {
    await context.close();
    await demo.stop();
  }
}

/** The browser sends a frame whenever the page has changed. */
async function recordFrames(page: Page, act: () => Promise<void>): Promise<Frame[]> {
  const frames: Frame[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ jpeg: Buffer.from(data, "base64"), at: metadata.timestamp ?? Date.now() / 1000 });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "jpeg", quality: 95 });
  await act();
  await session.send("Page.stopScreencast");
  return frames;
}

async function encode(frames: readonly Frame[], path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-film-"));
  try {
    const lines = frames.flatMap(({ at }, index) => {
      const next = frames[index + 1]?.at ?? at + STILL_MS / 1000;
      return [`file '${index}.jpeg'`, `duration ${(next - at).toFixed(3)}`];
    });
    await Promise.all(
      frames.map(({ jpeg }, index) => writeFile(join(folder, `${index}.jpeg`), jpeg)),
    );
    await writeFile(join(folder, "frames.txt"), `${lines.join("\n")}\n`);
    runFfmpeg([...OPTIONS, path], folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The last word names the file that it writes. */
function runFfmpeg(words: readonly string[], cwd: string): void {
  const { status, error } = spawnSync("ffmpeg", words, { cwd, stdio: "inherit" });
  if (error !== undefined) throw new Error("The film needs ffmpeg: install it", { cause: error });
  if (status !== 0) throw new Error(`ffmpeg did not write ${words.at(-1)}: see the errors above`);
}
