import assert from "node:assert/strict";
import { test } from "node:test";
import { findSvgError } from "./check-svg.ts";

const svg = (inside: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`;

test("drawings as programs export them are accepted", () => {
  for (const text of [
    svg('<path d="M0 0h8v8z" fill="#1b6748"/>'),
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- made by hand -->\n${svg("")}`,
    svg('<style><![CDATA[.a{fill:url(#g)}]]></style><rect class="a"/>'),
    svg('<use xlink:href="#part"/>', ' xmlns:xlink="http://www.w3.org/1999/xlink"'),
    svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
    svg("<title>Icon of one animal, on a script-free page</title>"),
  ]) {
    assert.equal(findSvgError(text), null, text);
  }
});

test("everything that could run or load is named", () => {
  for (const [inside, problem] of [
    ["<script>alert(1)</script>", /<script>/],
    ["<SCRIPT href='#a'/>", /<SCRIPT>/],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg"/>', /<script>/],
    ['<g onload="alert(1)"/>', /attribute onload/],
    ["<g id='a'\nonclick = 'alert(1)'/>", /attribute onclick/],
    ["<foreignObject><p/></foreignObject>", /<foreignObject>/],
    ['<h:b xmlns:h="http://www.w3.org/1999/&#120;html"/>', /HTML/],
    ['<a href="javascript:alert(1)">x</a>', /another address/],
    ['<a xlink:href="java&#115;cript:alert(1)">x</a>', /another address/],
    ['<image href="https://tracker.example/a.png"/>', /another address/],
    ['<image href="data:image/svg+xml,x"/>', /another address/],
    ["<style>@import 'https://tracker.example'</style>", /style/],
    ['<rect style="fill:url(https://tracker.example/a)"/>', /style/],
    ['<set attributeName="href" to="javascript:alert(1)"/>', /<set>/],
    // A reader that skipped comments or quoted values would miss these.
    ["<![CDATA[<!--]]><script>alert(1)</script><!-- -->", /<script>/],
    ["<!-- <x a=' --><script>alert(1)</script><!-- ' > -->", /<script>/],
  ] as const) {
    assert.match(findSvgError(svg(inside)) ?? "", problem, inside);
  }
});

test("what could hide something from the rules is not allowed", () => {
  const entity = `<!DOCTYPE svg [<!ENTITY x "<script/>">]>${svg("&x;")}`;
  assert.match(findSvgError(entity) ?? "", /document type/);
  const encoded = `<?xml version="1.0" encoding="UTF-7"?>${svg("")}`;
  assert.match(findSvgError(encoded) ?? "", /UTF-8/);
  const styled = `<?xml-stylesheet href="a.css"?>${svg("")}`;
  assert.match(findSvgError(styled) ?? "", /processing instruction/);
});
