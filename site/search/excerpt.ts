/** The part of a text that shows why it was found. */

export interface ExcerptPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const MAX_LENGTH = 150;
/** So much is before the first match. */
const LEAD = 50;

/** Begins and ends with whole words; without a match it is the beginning. */
export function cutExcerpt(
  text: string,
  isMatch: (word: string) => boolean,
): readonly ExcerptPart[] {
  const words = [...text.matchAll(/[\p{L}\p{N}_]+/gu)].map(({ 0: word, index }) => ({
    word,
    index,
  }));
  const first = words.find(({ word }) => isMatch(word))?.index ?? 0;
  const start = first <= LEAD ? 0 : text.indexOf(" ", first - LEAD) + 1;
  const end =
    start + MAX_LENGTH >= text.length ? text.length : text.lastIndexOf(" ", start + MAX_LENGTH);
  if (end <= start) return [];
  const parts: ExcerptPart[] = [{ text: start > 0 ? "… " : "", isMatch: false }];
  let from = start;
  for (const { word, index } of words) {
    const until = index + word.length;
    if (index < start || until > end || !isMatch(word)) continue;
    parts.push({ text: text.slice(from, index), isMatch: false }, { text: word, isMatch: true });
    from = until;
  }
  parts.push({ text: text.slice(from, end) + (end < text.length ? " …" : ""), isMatch: false });
  return parts.filter(({ text: part }) => part !== "");
}
