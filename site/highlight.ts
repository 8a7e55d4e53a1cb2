/** Colours code on the server: a page needs no script for it. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escapeHtml, html, trustedHtml, type Html } from "../src/web/html.ts";

const LANGUAGES = {
  c: { label: "C", grammar: c },
  html: { label: "HTML", grammar: xml },
  ini: { label: "INI", grammar: ini },
  js: { label: "JavaScript", grammar: javascript },
  json: { label: "JSON", grammar: json },
  nginx: { label: "nginx", grammar: nginx },
  sh: { label: "Shell", grammar: bash },
  sql: { label: "SQL", grammar: sql },
  text: { label: "Sample", grammar: null },
  ts: { label: "TypeScript", grammar: typescript },
  tsx: { label: "TypeScript", grammar: typescript },
  xml: { label: "XML", grammar: xml },
  yaml: { label: "YAML", grammar: yaml },
} as const;

for (const [name, { grammar }] of Object.entries(LANGUAGES)) {
  if (grammar !== null) hljs.registerLanguage(name, grammar);
}

/** A longer line may have to be scrolled on a phone, by keyboard too. */
const MAX_VISIBLE_COLUMNS = 30;

export function renderCode(code: string, name: string): Html {
  const known = Object.hasOwn(LANGUAGES, name) ? (name as keyof typeof LANGUAGES) : "text";
  const { label, grammar } = LANGUAGES[known];
  const markup =
    grammar === null ? escapeHtml(code) : hljs.highlight(code, { language: known }).value;
  const isLong = code.split("\n").some((line) => line.length > MAX_VISIBLE_COLUMNS);
  return html`<div class="code">
<p class="code-bar"><span>${label}</span></p>
<pre${isLong && html` tabindex="0"`}><code>${trustedHtml(markup)}</code></pre>
</div>`;
}
