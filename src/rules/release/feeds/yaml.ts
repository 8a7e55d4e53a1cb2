/** YAML 1.2 as far as the feeds need it: every text is a double-quoted scalar. */

export type YamlScalar = string | number;
export type YamlRecord = Readonly<Record<string, YamlScalar | readonly YamlMap[]>>;
type YamlMap = Readonly<Record<string, YamlScalar>>;

export function toYaml(record: YamlRecord): string {
  const lines = Object.entries(record).flatMap(([key, value]) =>
    typeof value === "object"
      ? [`${key}:`, ...value.flatMap((item) => itemLines(item))]
      : [`${key}: ${scalar(value)}`],
  );
  return `${lines.join("\n")}\n`;
}

function itemLines(item: YamlMap): string[] {
  return Object.entries(item).map(
    ([key, value], index) => `  ${index === 0 ? "-" : " "} ${key}: ${scalar(value)}`,
  );
}

// JSON leaves these as they are; YAML 5.1 and 5.4 count them as breaks, as a mark or as unprintable.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Quoted, `1.10` stays a text and `yes`, `null` and `: #` mean nothing. */
function scalar(value: YamlScalar): string {
  if (typeof value === "number") return String(value);
  return JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
