/** Words for codes. Every code has some in both languages; a code nobody knows yet gets general ones. */
import type { Language } from "../../language.ts";

export type Words<Code extends string> = Readonly<Record<Language, Readonly<Record<Code, string>>>>;

export function wordsOf(
  words: Words<string>,
  code: string,
  language: Language,
  other: Readonly<Record<Language, string>>,
): string {
  const known = words[language];
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? `${other[language]} (${code})`;
}
