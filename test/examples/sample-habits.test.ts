/** The demo's habits look like habits that a person made in the app. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { CHANGED_WALK, SAMPLE_HABITS } from "../../examples/demo/page/sample-habits.ts";
import { COLORS } from "../../examples/habits/src/habit-draft.ts";

test("the sample habits have colours and icons that the app offers", async () => {
  const views = await readFile(
    new URL("../../examples/habits/src/views/icon.tsx", import.meta.url),
    "utf8",
  );
  const [, list = ""] = /HABIT_ICONS = \[([^\]]+)\]/.exec(views) ?? [];
  const icons = [...list.matchAll(/"(\w+)"/g)].map(([, icon]) => icon);
  assert.ok(icons.length > 5);
  for (const { icon, color } of [...SAMPLE_HABITS, CHANGED_WALK]) {
    assert.ok(icons.includes(icon), icon);
    assert.ok((COLORS as readonly string[]).includes(color), color);
  }
});
