/** The parts of a comment above a declaration, in the form that editors show too (TSDoc). */

export interface DocComment {
  /** What it is for, in one or more sentences. */
  readonly text: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly result: string;
  /** A block of code. */
  readonly example: string;
}

export function readComment(comment: string): DocComment {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*\s?/, ""));
  const [text = "", ...tags] = lines.join("\n").split(/^@(?=(?:param|returns|example)\b)/m);
  const find = (tag: string) => tags.find((one) => one.startsWith(tag))?.slice(tag.length) ?? "";
  const parameters = tags.flatMap((tag): [string, string][] => {
    const [, name, meaning] = /^param (\w+) - (.*)$/s.exec(tag) ?? [];
    return name === undefined || meaning === undefined ? [] : [[name, toLine(meaning)]];
  });
  return {
    text: toLine(text),
    parameters: new Map(parameters),
    result: toLine(find("returns")),
    example: find("example").trim(),
  };
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
