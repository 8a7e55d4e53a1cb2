import assert from "node:assert/strict";
import { test } from "node:test";
import { notesToHtml, notesToText } from "./feed-notes.ts";

const notes = {
  added: ["Widgets\n- for the [lock screen](https://example.com/lock)"],
  changed: [],
  fixed: ["<b>Reminders</b>, see [#12](https://example.com/12)"],
  security: [],
};

test("updaters that show HTML get links, and a list for points", () => {
  assert.equal(
    notesToHtml({ notes }, "de"),
    '<h3>Neu</h3><ul><li>Widgets<ul><li>for the <a href="https://example.com/lock" rel="noopener noreferrer">lock screen</a></li></ul></li></ul><h3>Behoben</h3><ul><li>&lt;b&gt;Reminders&lt;/b&gt;, see <a href="https://example.com/12" rel="noopener noreferrer">#12</a></li></ul>',
  );
});

test("updaters that show text get the addresses in parentheses", () => {
  assert.equal(
    notesToText({ notes }),
    "Added\n- Widgets\n  - for the lock screen (https://example.com/lock)\n\nFixed\n- <b>Reminders</b>, see #12 (https://example.com/12)",
  );
});
