/** Text inside XML and HTML. */

// XML 1.0 2.2: no reference can name these either. Lone surrogates are no characters at all.
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  // A CDATA section ends at "]]>".
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes content and quoted attribute values. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "\ufffd")
    .replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? character);
}

/** A CDATA section; `html` has no `]]>`, because `escapeMarkup` leaves no `>` in texts. */
export function cdata(html: string): string {
  return `<![CDATA[${html}]]>`;
}
