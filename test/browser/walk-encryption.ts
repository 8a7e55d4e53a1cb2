/**
 * What a person meets at a server that cannot read: a key on the first device, its recovery key on the second, a new
 * key after a loss. The second device is German.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import decodeQR from "qr/decode.js";
import { toRecoveryKey } from "../../src/client/encryption/recovery-key.ts";
import { openDevice, signInQuickly, type SyncedApp } from "./serve-habits.ts";

type Inspect = (page: Page, view: string) => Promise<void>;

export interface Inspections {
  readonly fits: Inspect;
  /** Fits, and has no accessibility error. */
  readonly isAccessible: Inspect;
}

/** A word that is nowhere but in the habit of this walk. */
export const SECRET_WORD = "Zwiebelkuchen";

interface Walker {
  readonly page: Page;
  /** Everything that the browser sent, addresses and bodies, and everything in its console. */
  readonly sent: string[];
}

async function openWalker(
  browser: Browser,
  app: SyncedApp,
  { locale, isFirstOffline }: { locale: string; isFirstOffline: boolean },
): Promise<Walker> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale,
    reducedMotion: "reduce",
  });
  await context.addInitScript(stubCamera);
  // Who is offline at the first start learns at the sign-in what the server asks for.
  if (isFirstOffline) await context.route(`${app.syncUrl}/**`, (route) => route.abort());
  const sent: string[] = [];
  context.on("request", (request) => sent.push(request.url(), request.postData() ?? ""));
  context.on("console", (message) => sent.push(message.text()));
  const page = await openDevice(context, app.origin, sent);
  await context.unrouteAll();
  return { page, sent };
}

/** In the place of a camera and of the platform's reader, which a browser without a screen lacks. */
function stubCamera(): void {
  Object.assign(globalThis, {
    BarcodeDetector: class {
      async detect(): Promise<{ rawValue: string }[]> {
        const { scanned } = globalThis as { scanned?: string };
        return scanned === undefined ? [] : [{ rawValue: scanned }];
      }
    },
  });
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    // A video begins with its first frame.
    setInterval(() => canvas.getContext("2d")?.fillRect(0, 0, 1, 1), 50);
    return canvas.captureStream();
  };
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const heading2 = (page: Page, name: string) => page.getByRole("heading", { name, level: 2 });
const chip = (page: Page, kind: string) => page.locator(`.chip[data-kind="${kind}"]`);
const name = (page: Page, text: string) => page.locator(".name", { hasText: text });
const press = (page: Page, button: string) => page.getByRole("button", { name: button }).click();

export async function walkEncryption(
  browser: Browser,
  app: SyncedApp,
  inspections: Inspections,
): Promise<void> {
  const phone = await openWalker(browser, app, { locale: "en-GB", isFirstOffline: true });
  const laptop = await openWalker(browser, app, { locale: "de-DE", isFirstOffline: false });
  try {
    const recoveryKey = await beginOnPhone(phone.page, app, inspections);
    await joinOnLaptop(laptop.page, app, recoveryKey);
    await mergeEdits(phone.page, laptop.page);
    const newKey = await replaceOnPhone(phone.page, recoveryKey, inspections);
    await goOnOnLaptop(laptop.page, [recoveryKey, newKey], inspections);
    await meetDamage(phone.page, laptop.page);
    const stored = await Promise.all([phone, laptop].map(({ page }) => readLocalStorage(page)));
    const seen = [...phone.sent, ...laptop.sent, ...stored].join("\n");
    assert.match(seen, /sealed\//);
    assert.ok(!seen.includes(SECRET_WORD), "the server is sent no word of a habit");
    for (const key of [recoveryKey, newKey]) assert.ok(!holdsKey(seen, key));
  } finally {
    for (const { page } of [phone, laptop]) await page.context().close();
  }
}

/** With or without dashes: two groups that follow each other are the key's own. */
function holdsKey(text: string, key: string): boolean {
  return text.includes(key.slice(0, 9)) || text.includes(key.replaceAll("-", "").slice(0, 8));
}

const readLocalStorage = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...localStorage, address: location.href }));

async function beginOnPhone(
  page: Page,
  app: SyncedApp,
  { fits, isAccessible }: Inspections,
): Promise<string> {
  await page.getByRole("link", { name: "New habit" }).click();
  await page.getByLabel("Name").fill(SECRET_WORD);
  await press(page, "Add habit");
  await signInQuickly(page, app, heading(page, "Your key"));
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Your key");
  await isAccessible(page, "key needed");
  await press(page, "Make a key");
  await heading(page, "Your recovery key").waitFor();
  const recoveryKey = await readKey(page);
  await isAccessible(page, "recovery key");
  assert.equal(await readQrCode(page), recoveryKey);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    press(page, "Save as a file"),
  ]);
  assert.ok((await readFile(await download.path(), "utf8")).includes(recoveryKey));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("button").count(), 0, "only the sheet is printed");
  await page.emulateMedia({ media: null });
  await keep(page, recoveryKey, fits);
  await chip(page, "up-to-date").waitFor();
  return recoveryKey;
}

/** The recovery key in groups of four. */
async function readKey(page: Page): Promise<string> {
  const groups = await page.locator(".groups li").allInnerTexts();
  assert.equal(groups.length, 14);
  return groups.map((group) => group.trim()).join("-");
}

/** Decodes what is drawn. */
async function readQrCode(page: Page): Promise<string> {
  const svg = page.getByRole("img", { name: "The recovery key as a QR code" });
  const [, , size = ""] = ((await svg.getAttribute("viewBox")) ?? "").split(" ");
  const path = (await svg.locator("path").getAttribute("d")) ?? "";
  const scale = 4;
  const side = Number(size) * scale;
  const data = new Uint8Array(side * side * 3).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * side + Number(x) * scale) * 3;
      data.fill(0, start, start + scale * 3);
    }
  }
  return decodeQR({ width: side, height: side, data });
}

/** Shows that the key is kept, after a mistake. */
async function keep(page: Page, recoveryKey: string, fits: Inspect): Promise<void> {
  await press(page, "I have saved it");
  await heading(page, "Do you have it?").waitFor();
  const fields = await page.getByLabel(/^Group \d+/).all();
  assert.equal(fields.length, 2);
  await press(page, "Confirm");
  await page.getByText(/^That is not group/).waitFor();
  await fits(page, "confirmation");
  for (const field of fields) {
    const number = Number(/\d+/.exec((await field.getAttribute("id")) ?? "")?.[0]);
    await field.fill((recoveryKey.split("-")[number - 1] ?? "").toLowerCase());
  }
  await press(page, "Confirm");
  await page.getByText("Good. Keep your recovery key in a safe place.").waitFor();
}

async function joinOnLaptop(page: Page, app: SyncedApp, recoveryKey: string): Promise<void> {
  await signInQuickly(page, app, heading(page, "Dein Schlüssel"));
  await heading2(page, "Ein anderes deiner Geräte hat den Schlüssel").waitFor();
  // A second device is never offered to make a key.
  assert.equal(await page.getByRole("button", { name: "Schlüssel erzeugen" }).count(), 0);
  await enterKey(page, recoveryKey.slice(0, -1));
  await page.getByText("Ein Zeichen ist falsch oder fehlt").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "recovery-key");
  await enterKey(page, createOtherKey());
  await page.getByText("aber nicht der für dieses Konto").waitFor();
  assert.equal(await name(page, SECRET_WORD).count(), 0);
  await press(page, "QR-Code scannen");
  await page.locator("video").waitFor();
  await page.evaluate((text) => Object.assign(globalThis, { scanned: text }), recoveryKey);
  await page.getByText("Dieses Gerät kann deine Gewohnheiten jetzt lesen").waitFor();
  await name(page, SECRET_WORD).waitFor();
}

async function enterKey(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Wiederherstellungsschlüssel" }).fill(text);
  await press(page, "Schlüssel verwenden");
}

function createOtherKey(): string {
  return toRecoveryKey(crypto.getRandomValues(new Uint8Array(32)));
}

/** Of the habit of this walk, the only one. */
const tick = (page: Page, isDone: boolean): Locator =>
  page.locator(`.tick[aria-pressed="${isDone}"]`);

async function mergeEdits(phone: Page, laptop: Page): Promise<void> {
  for (const page of [phone, laptop]) await page.context().setOffline(true);
  await name(phone, SECRET_WORD).click();
  await phone.getByRole("link", { name: "Edit" }).click();
  await phone.getByLabel("Name").fill(`${SECRET_WORD} backen`);
  await press(phone, "Save");
  await phone.getByRole("link", { name: "Back" }).click();
  await press(laptop, `${SECRET_WORD}: erledigt`);
  for (const page of [phone, laptop]) await page.context().setOffline(false);
  for (const page of [phone, laptop]) {
    await name(page, `${SECRET_WORD} backen`).waitFor();
    await tick(page, true).waitFor();
  }
}

async function replaceOnPhone(
  page: Page,
  oldKey: string,
  { fits, isAccessible }: Inspections,
): Promise<string> {
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByText("Your server cannot read your habits").waitFor();
  await isAccessible(page, "settings with encryption");
  await page.getByRole("link", { name: "Show the recovery key" }).click();
  await heading(page, "Your recovery key").waitFor();
  assert.equal(await readKey(page), oldKey);
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("link", { name: "Make a new key" }).click();
  await heading(page, "Make a new key").waitFor();
  await fits(page, "new key");
  await press(page, "Make a new key");
  await heading(page, "Your recovery key").waitFor();
  const newKey = await readKey(page);
  assert.notEqual(newKey, oldKey);
  // Who leaves without a look is reminded.
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByText("Save your recovery key").waitFor();
  return newKey;
}

async function goOnOnLaptop(
  page: Page,
  [oldKey, newKey]: readonly [string, string],
  { fits }: Inspections,
): Promise<void> {
  await page.getByText("Dieses Gerät braucht deinen Schlüssel").waitFor();
  await page.getByRole("link", { name: "Weiter" }).click();
  await heading(page, "Dein Schlüssel wurde ersetzt").waitFor();
  await fits(page, "replaced key");
  await page.getByText("hat einen neuen Schlüssel erzeugt").waitFor();
  await enterKey(page, oldKey);
  await page.getByText("durch einen neueren ersetzt").waitFor();
  await enterKey(page, newKey.toLowerCase().replaceAll("-", " "));
  await heading(page, "Dein Schlüssel wurde ersetzt").waitFor({ state: "hidden" });
  await chip(page, "up-to-date").waitFor();
  await name(page, `${SECRET_WORD} backen`).waitFor();
}

/** The server changes a character of everything sealed that it sends. */
async function meetDamage(phone: Page, laptop: Page): Promise<void> {
  await press(phone, `${SECRET_WORD} backen: done`);
  await tick(laptop, false).waitFor();
  await laptop.route("**/v1/pull?*", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/(?<="2\.[\w-]{22}\.)[\w-]/g, (first) =>
      first === "A" ? "B" : "A",
    );
    await route.fulfill({ response, body });
  });
  await press(phone, `${SECRET_WORD} backen: done`);
  await laptop.getByText("Ein Eintrag kann nicht gelesen werden").waitFor();
  await tick(laptop, false).waitFor();
  await laptop.getByRole("link", { name: "Einstellungen", exact: true }).last().click();
  await laptop.getByText("nachdem eines deiner Geräte es verschlüsselt hatte").waitFor();
  await laptop.unrouteAll();
}
