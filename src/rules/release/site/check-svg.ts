/**
 * Finds what a drawing must not have. A page shows it as an image, where browsers run no script, but a
 * visitor can open its address, and a host that sends no headers would then let a script run. Each rule
 * searches the whole text: a reader of elements and comments could be led past one by a broken file.
 */

/** Finds the first thing that is not allowed, as the rest of a sentence; null for a plain drawing. */
export function findSvgError(text: string): string | null {
  const decoded = decodeReferences(text);
  for (const { pattern, problem } of RULES) {
    const found = pattern.exec(decoded);
    if (found !== null) return problem(found[1] ?? "");
  }
  return null;
}

interface Rule {
  readonly pattern: RegExp;
  readonly problem: (found: string) => string;
}

const RULES: readonly Rule[] = [
  // Entities and other encodings could hide anything from the other rules.
  { pattern: /<!(?:DOCTYPE|ENTITY)/i, problem: () => "has a document type" },
  {
    pattern: /<\?xml\s[^>]*encoding\s*=\s*["'](?!utf-8["'])/i,
    problem: () => "is not declared as UTF-8",
  },
  { pattern: /<\?(?!xml\s)/i, problem: () => "has a processing instruction" },
  // Elements that run scripts, hold documents, or change a link later.
  {
    pattern:
      /<(?:[\w.-]+:)?(script|foreignObject|iframe|object|embed|audio|video|handler|listener|set|animate)[\s/>]/i,
    problem: (name) => `has the element <${name}>`,
  },
  {
    pattern: /[\s"'](?:[\w.-]+:)?(on[a-z]+)\s*=/i,
    problem: (name) => `has the attribute ${name}`,
  },
  { pattern: /www\.w3\.org\/1999\/xhtml/i, problem: () => "has HTML in it" },
  // A link to a part of the drawing is fine, and so is a picture inside it.
  {
    pattern: /[\s"':](?:href|src)\s*=\s*["'](?!\s*(?:#|data:image\/(?:png|jpeg|webp|avif)[;,]))/i,
    problem: () => "refers to another address",
  },
  {
    pattern: /@import|url\s*\(\s*(?!["']?\s*#)/i,
    problem: () => "has a style that loads from another address",
  },
];

const NAMED_REFERENCES: Readonly<Record<string, string>> = { quot: '"', apos: "'" };

/** A tag cannot begin with a reference, so `<` and `&` stay as they are written. */
function decodeReferences(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, hex) => character(Number.parseInt(String(hex), 16)))
    .replaceAll(/&#([0-9]{1,7});/g, (_, decimal) => character(Number(decimal)))
    .replaceAll(/&(quot|apos);/g, (_, name) => NAMED_REFERENCES[String(name)] ?? "");
}

function character(point: number): string {
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : "";
}
