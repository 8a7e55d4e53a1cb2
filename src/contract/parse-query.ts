/** The parameters of a query or of a URL-encoded form; a value is null when its encoding is broken. */
export function parseQuery(search: string): Map<string, (string | null)[]> {
  const values = new Map<string, (string | null)[]>();
  if (search === "") return values;
  for (const part of search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decodeFormText(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? "" : decodeFormText(part.slice(equals + 1));
    // A name with a broken encoding is kept as it came, so that a strict route can report it.
    const key = name ?? part;
    const value = name === null ? null : text;
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  return values;
}

function decodeFormText(text: string): string | null {
  return decodeComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Decodes percent-encoded UTF-8; null when the encoding is broken. */
export function decodeComponent(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
