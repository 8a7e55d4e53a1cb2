/** The demo's habits look like habits that a person made in the app. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { CHANGED_WALK, SAMPLE_HABITS } from "../../examples/demo/page/sample-habits.ts";
import { TONE_NAMES, TONES, toTone } from "../../examples/habits/src/tone.ts";

test("the sample habits have colours and icons that the app offers", async () => {
  const views = await readFile(
    new URL("../../examples/habits/src/views/icon.tsx", import.meta.url),
    "utf8",
  );
  const [, list = ""] = /HABIT_ICONS = \[([^\]]+)\]/.exec(views) ?? [];
  const icons = [...list.matchAll(/"(\w+)"/g)].map(([, icon]) => icon);
  assert.ok(icons.length > 5);
  for (const { color, tone } of SAMPLE_HABITS) assert.equal(toTone(color), tone);
  for (const { icon, tone } of [...SAMPLE_HABITS, CHANGED_WALK]) {
    assert.ok(icons.includes(icon), icon);
    assert.ok((TONE_NAMES as string[]).includes(tone), tone);
  }
});

test("a colour of another app shows as the nearest tone, and a text that is none as the first", () => {
  for (const tone of TONE_NAMES) assert.equal(toTone(TONES[tone].toUpperCase()), tone);
  assert.equal(toTone("#2e6fb0"), "blue");
  assert.equal(toTone("#ff9a30"), "amber");
  assert.equal(toTone("tomato"), "green");
  assert.throws(() => toTone(undefined), /no text/);
});
