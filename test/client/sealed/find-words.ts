/** Finds words in bytes, however a program may have written them. */

/** The names of the words that the bytes hold, each with the encoding in which it was found. */
export function findWords(bytes: Uint8Array, words: readonly string[]): readonly string[] {
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return words.flatMap((word) =>
    Object.entries(encodingsOf(word))
      .filter(([, needle]) => searched.includes(needle))
      .map(([encoding]) => `${word} in ${encoding}`),
  );
}

/** The bytes by which each encoding of a word is known, wherever in a text the word stands. */
export function encodingsOf(word: string): Readonly<Record<string, Uint8Array>> {
  const utf8 = Buffer.from(word, "utf8");
  const utf16le = Buffer.from(word, "utf16le");
  const utf16be = Buffer.from(utf16le).swap16();
  const plain = { "UTF-8": utf8, "UTF-16LE": utf16le, "UTF-16BE": utf16be };
  const encoded = Object.entries(plain).flatMap(([name, bytes]) => [
    [`hex of ${name}`, bytes.toString("hex")],
    [`upper-case hex of ${name}`, bytes.toString("hex").toUpperCase()],
    ...[0, 1, 2].flatMap((before) =>
      (["base64", "base64url"] as const).map((alphabet) => [
        `${alphabet} of ${name} after ${before}`,
        base64After(bytes, before, alphabet),
      ]),
    ),
  ]);
  const texts = Object.fromEntries(encoded) as Record<string, string>;
  const percent = { "percent-encoding": encodeURIComponent(word) };
  return {
    ...plain,
    ...Object.fromEntries(
      Object.entries({ ...texts, ...percent }).map(([name, text]) => [name, Buffer.from(text)]),
    ),
  };
}

/** The characters that only the bytes themselves decide when so many bytes of a group stand before them. */
function base64After(bytes: Uint8Array, before: number, alphabet: "base64" | "base64url"): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const first = Math.ceil((before * 8) / 6);
  return whole.toString(alphabet).slice(first, Math.floor((whole.length * 8) / 6));
}
