/** Lengths that do not depend on how a platform stores text. */

/** Whether the text is longer than so many characters (code points). */
export function hasMoreCharacters(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let characters = 0;
  for (let index = 0; index < text.length; characters++) {
    index += isPairAt(text, index) ? 2 : 1;
  }
  return characters > limit;
}

/** Whether the text takes more than so many bytes in UTF-8. */
export function hasMoreBytes(text: string, limit: number): boolean {
  // A code unit is one to three bytes, so most texts need no count.
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return utf8Length(text) > limit;
}

/** Half a surrogate pair counts as the replacement character that encoders write for it. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPairAt(text, index)) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
