import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import {
  checkAccent,
  deriveAccent,
  MIN_ICON_CONTRAST,
  MIN_TEXT_CONTRAST,
  PAGE_COLOURS,
  THEMES,
  contrast,
} from "./accent.ts";

const colour = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("contrast is that of WCAG", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.equal(contrast("#767676", "#FFFFFF").toFixed(2), "4.54");
});

test("the colours of the page are those of its style", () => {
  const style = readFileSync(new URL("../../../web/style/tokens.css", import.meta.url), "utf8");
  const [light = "", dark = ""] = style.split("prefers-color-scheme: dark");
  for (const [css, colours] of [
    [light, PAGE_COLOURS.light],
    [dark, PAGE_COLOURS.dark],
  ] as const) {
    const read = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)?.[1];
    assert.deepEqual(
      {
        background: read("background"),
        surface: read("surface"),
        text: read("text"),
        softText: read("text-soft"),
      },
      colours,
    );
  }
});

test("a colour that cannot be read is reported with the nearest shade that can", () => {
  const error = checkAccent("#ffcc00", "light");
  assert.equal(error?.against, "#faf9f5");
  assert.equal(error.ratio.toFixed(1), "1.4");
  assert.equal(checkAccent(error.suggestion, "light"), null);
  assert.notEqual(error.suggestion, "#000000");
  assert.equal(checkAccent("#ffcc00", "dark"), null);
  assert.equal(checkAccent("#1b6748", "light"), null);
  assert.notEqual(checkAccent("#1b6748", "dark"), null);
});

test("every accepted accent can be read wherever the page uses it", () => {
  fc.assert(
    fc.property(colour, colour, fc.boolean(), (light, dark, hasDark) => {
      fc.pre(checkAccent(light, "light") === null);
      fc.pre(!hasDark || checkAccent(dark, "dark") === null);
      const accent = deriveAccent(light, hasDark ? dark : undefined);
      for (const theme of THEMES) {
        const { background, surface, text, softText } = PAGE_COLOURS[theme];
        const { accent: shade, strong, onAccent, tint } = accent[theme];
        for (const [front, back] of [
          [shade, background],
          [shade, surface],
          [strong, background],
          [strong, surface],
          [onAccent, shade],
          [onAccent, strong],
          [text, tint],
          [softText, tint],
        ] as const) {
          assert.ok(contrast(front, back) >= MIN_TEXT_CONTRAST, `${theme}: ${front} on ${back}`);
        }
        assert.ok(contrast(shade, tint) >= MIN_ICON_CONTRAST, `${theme}: ${shade} on ${tint}`);
      }
    }),
  );
});
