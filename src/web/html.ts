/** HTML templates that escape their values. HTML and XML share the escapes: the feed uses them too. */

/** A class, so that an object from JSON can never pass as markup. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[];

export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = template[0] ?? "";
  values.forEach((value, index) => {
    refuseUnquotedAttribute(markup);
    markup += render(value) + (template[index + 1] ?? "");
  });
  return new Html(markup);
}

/** The markup is not escaped: only for generated styles and scripts, and for outside data that `escapeHtml` escaped. */
export function trustedHtml(markup: string): Html {
  return new Html(markup);
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return value.map(render).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// XML 1.0 section 2.2 forbids these, even escaped.
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;
// These characters can make a text look like another one, and no language of the pages needs them.
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, "")
    .replace(DIRECTION_OVERRIDES, "")
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

/** Escaping does not protect an attribute without quotes. */
function refuseUnquotedAttribute(markup: string): void {
  const insideTag = markup.lastIndexOf("<") > markup.lastIndexOf(">");
  if (insideTag && /=\s*$/.test(markup)) {
    throw new Error(`Cannot put a value into an attribute without quotes: ${markup.slice(-40)}`);
  }
}
