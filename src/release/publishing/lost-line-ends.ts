/** A PEM text whose lines became one, as happens to a secret that is pasted into a field of one line. */

const BLOCK = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/;

/** What to do about it, or null for a text that can be read. A sealed key is read in one line, too. */
export function explainLostLineEnds(text: string, needsLines: boolean): string | null {
  const [, label = "", body] = BLOCK.exec(text) ?? [];
  if (body === undefined) return null;
  const [begin, end] = [`"-----BEGIN ${label}-----"`, `"-----END ${label}-----"`];
  if (body.includes("\\n")) {
    return `it has a backslash and an n where its lines end: put line ends there (\`printf '%b'\` writes them)`;
  }
  if (!needsLines || /^[ \t]*\r?\n/.test(body)) return null;
  return `write ${begin}, the letters after it and ${end} as lines of their own, with a line end in place of each space between the letters`;
}
