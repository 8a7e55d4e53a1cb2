const CHARACTERS: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};

/** The text of an attribute or element in HTML or XML. */
export function unescapeMarkup(text: string): string {
  return text.replaceAll(
    /&(?:lt|gt|quot|#39|apos|amp);/g,
    (reference) => CHARACTERS[reference] ?? reference,
  );
}
