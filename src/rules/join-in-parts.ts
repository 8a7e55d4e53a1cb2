/** Long texts for responses, in parts of a size that V8 moves and frees cheaply. */

const PART_CHARACTERS = 32 * 1024;

export function joinInParts(texts: readonly string[], separator: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const [index, text] of texts.entries()) {
    part += index === 0 ? text : separator + text;
    if (part.length < PART_CHARACTERS) continue;
    parts.push(part);
    part = "";
  }
  return [...parts, part];
}
