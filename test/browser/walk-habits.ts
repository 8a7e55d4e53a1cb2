/** What a person does with many habits: bring them, group, order and skip them, see a year, take them along. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { addDays } from "../../examples/habits/src/days.ts";
import { doubleText } from "./inspect-page.ts";
import { takeScreenshot } from "./take-screenshot.ts";

type Inspect = (page: Page, view: string) => Promise<void>;

const PHONE = { width: 390, height: 844 };
const names = (page: Page) => page.locator(".habit .name").allInnerTexts();
const press = (page: Page, button: string) => page.getByRole("button", { name: button }).click();
const focusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

export async function walkHabits(page: Page, origin: string, inspect: Inspect): Promise<void> {
  const today = await page.evaluate(() => new Date().toLocaleDateString("sv"));
  await bringFile(page, origin, today);
  await chooseCategory(page);
  await changeOrder(page, inspect);
  await skipDays(page, today, inspect);
  await pressKeys(page, inspect);
  await takeAlong(page, origin);
  await page.goto(`${origin}/#/`);
  await page.setViewportSize({ width: 640, height: 900 });
  await doubleText(page);
  const bar = page.locator(".add-bar");
  const position = await bar.evaluate((element) => getComputedStyle(element).position);
  assert.equal(position, "static", "New habit covers no row");
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel("File").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });
}

async function bringFile(page: Page, origin: string, today: string): Promise<void> {
  await page.goto(`${origin}/#/import`);
  await choose(page, "wrong.csv", "habit,date\nRead,tomorrow");
  await page.getByText("(line 2). Nothing was changed.").waitFor();
  const days = Array.from({ length: 60 }, (_, index) => addDays(today, -index - 1));
  const read = days.filter((_, index) => index % 5 !== 4).map((day) => `Read,Mind,${day}`);
  // A day of the year before, so that there is a year to go back to at every time of the year.
  read.push(`Read,Mind,${Number(today.slice(0, 4)) - 1}-06-15`);
  const rows = [...read, `Swim,Health,${days[1]}`, `Walk,Health,${days[0]}`];
  await choose(page, "habits.csv", ["habit,category,date", ...rows].join("\n"));
  await page.getByText("3 habits: Read, Swim and Walk").waitFor();
  await takeScreenshot(page, "habits-import", PHONE);
  await press(page, "Import now");
  await page.getByText("Imported: 3 habits, 51 days").waitFor();
  assert.deepEqual(await names(page), ["Read", "Swim", "Walk"]);
}

async function chooseCategory(page: Page): Promise<void> {
  await press(page, "Health");
  await page.locator('.pill[aria-pressed="true"]', { hasText: "Health" }).waitFor();
  assert.deepEqual(await names(page), ["Swim", "Walk"]);
  await page.reload();
  await page.locator(".name", { hasText: "Swim" }).waitFor();
  assert.deepEqual(await names(page), ["Swim", "Walk"]);
  await press(page, "All");
  await press(page, "In groups");
  await page.getByRole("region", { name: "Mind" }).waitFor();
  assert.deepEqual(await names(page), ["Swim", "Walk", "Read"]);
  await takeScreenshot(page, "habits-groups", PHONE);
  await press(page, "In groups");
  await page.getByRole("region", { name: "Mind" }).waitFor({ state: "detached" });
}

async function changeOrder(page: Page, inspect: Inspect): Promise<void> {
  await page.getByRole("link", { name: "Change the order" }).click();
  await page.getByRole("button", { name: "Move “Walk” up" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Walk: place 2 of 3").waitFor();
  assert.equal(await focusedLabel(page), "Move “Walk” up");
  assert.deepEqual(await names(page), ["Read", "Walk", "Swim"]);
  const handle = page.locator(".habit", { hasText: "Read" }).locator(".handle");
  const from = await handle.boundingBox();
  const to = await page.locator(".habit", { hasText: "Swim" }).boundingBox();
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, to.y + to.height - 5, { steps: 5 });
  await page.mouse.up();
  await page.getByText("Read: place 3 of 3").waitFor();
  assert.deepEqual(await names(page), ["Walk", "Swim", "Read"]);
  await takeScreenshot(page, "habits-order", PHONE);
  await inspect(page, "order");
  await page.setViewportSize(PHONE);
  await page.reload();
  await page.locator(".name", { hasText: "Read" }).waitFor();
  assert.deepEqual(await names(page), ["Walk", "Swim", "Read"]);
  await page.getByRole("link", { name: "Back" }).click();
}

async function skipDays(page: Page, today: string, inspect: Inspect): Promise<void> {
  await page.getByRole("link", { name: /^Read Done/ }).click();
  const figures = page.locator(".figures");
  const before = await figures.innerText();
  const open = addDays(today, -5);
  if (open.slice(0, 7) !== today.slice(0, 7)) await press(page, "Previous month");
  await page.getByLabel("does not count").check({ force: true });
  const day = page.locator(".calendar-day", { hasText: new RegExp(`^${Number(open.slice(8))}$`) });
  await day.click();
  await page.getByText("Read: the day does not count").waitFor();
  assert.equal(await day.getAttribute("data-state"), "skipped");
  assert.notEqual(await figures.innerText(), before, "streak and rate are higher");
  await press(page, "Today does not count");
  await page.getByRole("button", { name: "Today counts" }).waitFor();
  await takeScreenshot(page, "habits-year", { ...PHONE, height: 1500 });
  await takeScreenshot(page, "habits-year-wide", { width: 1280, height: 1400 });
  await inspect(page, "year");
  await page.setViewportSize(PHONE);
  await press(page, "Previous year");
  await page.getByRole("button", { name: /^Jan ?: / }).click();
  await page.getByRole("heading", { name: /^January \d{4}$/ }).waitFor();
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByText("Does not count today").waitFor();
  await page.getByText("0 of 2 done").waitFor();
}

async function pressKeys(page: Page, inspect: Inspect): Promise<void> {
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await inspect(page, "shortcuts");
  await page.setViewportSize(PHONE);
  await takeScreenshot(page, "habits-shortcuts", PHONE);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.querySelector<HTMLElement>(".chip")?.focus());
  for (const key of ["j", "j", "k", "x"]) await page.keyboard.press(key);
  await page.locator(".habit", { hasText: "Walk" }).locator('[aria-pressed="true"]').waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Name").fill("");
  await page.keyboard.type("nta,");
  assert.equal(await page.getByLabel("Name").inputValue(), "nta,");
  assert.match(page.url(), /#\/new$/);
}

async function takeAlong(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/#/settings`);
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Save as JSON")]);
  const text = await readFile(await file.path(), "utf8");
  const { habits } = JSON.parse(text) as { habits: { name: string }[] };
  assert.deepEqual(
    habits.map(({ name }) => name),
    ["Walk", "Swim", "Read"],
  );
  await page.getByRole("link", { name: "Import" }).click();
  await choose(page, "habits.json", text);
  await page.getByText("No new habits").waitFor();
  assert.equal(await page.getByRole("button", { name: "Import now" }).count(), 0);
}
