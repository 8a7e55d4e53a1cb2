import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCodePoint } from "../../test/fixtures/any-code-point.ts";
import { escapeHtml, html, trustedHtml, type HtmlValue } from "./html.ts";

test("a value in a template cannot open a tag or close an attribute", () => {
  const text = `"><script>alert('&')</script>`;
  assert.equal(
    html`<p title="${text}">${text}</p>`.markup,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>",
  );
});

test("templates nest without being escaped twice, and lists are joined", () => {
  const items = ["a", "<b>"].map((item) => html`<i>${item}</i>`);
  assert.equal(html`<p>${items}</p>`.markup, "<p><i>a</i><i>&lt;b&gt;</i></p>");
});

test("absent values are empty and numbers are written", () => {
  assert.equal(html`<p>${null}${undefined}${false}${0}${[]}</p>`.markup, "<p>0</p>");
});

test("an object that looks like markup but came from JSON is not trusted", () => {
  const parsed: unknown = JSON.parse('[{"markup":"<script>"}]');
  assert.throws(() => html`<p>${parsed as HtmlValue}</p>`);
});

test("a value in an attribute without quotes is refused", () => {
  assert.throws(() => html`<a href=${"x"}>y</a>`, /without quotes: <a href=/);
  assert.equal(html`<p>1 + 1 = ${2}</p>`.markup, "<p>1 + 1 = 2</p>");
});

test("trusted markup is written as it is", () => {
  assert.equal(html`<p>${trustedHtml("<b>a</b>")}</p>`.markup, "<p><b>a</b></p>");
});

test("control characters are dropped, line breaks and emoji stay", () => {
  assert.equal(escapeHtml("a\u0000b\u001bc\u009fd\ufffe\n\t🌱"), "abcd\n\t🌱");
  assert.equal(escapeHtml("lone \ud800 half"), "lone \ufffd half");
});

test("direction overrides are dropped", () => {
  assert.equal(escapeHtml("safe\u202eexe.fdp\u2066\u2069"), "safeexe.fdp");
});

test("no escaped text contains a character of markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (text) => {
      assert.doesNotMatch(escapeHtml(text), /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});
