/** A file of test vectors: inputs that are chosen, and what the rules make of them. */
import type { GeneratedFile } from "../bundle-web.ts";

export interface VectorSource<Input> {
  /** The name of the file in `vectors/`, without its ending. */
  readonly name: string;
  /** What an input is, what the rule decides, and where the rule is written. */
  readonly description: string;
  /** Inputs by the name of their case. */
  readonly inputs: Readonly<Record<string, Input>>;
  expect(input: Input): unknown;
  /** The codes that the expected values must have between them, so that no rule is without a case. */
  readonly codes: readonly string[];
}

export async function createVectorFile<Input>(source: VectorSource<Input>): Promise<GeneratedFile> {
  const { name, description, inputs, codes } = source;
  const cases: object[] = [];
  for (const [caseName, input] of Object.entries(inputs)) {
    cases.push({ name: caseName, input, expected: await source.expect(input) });
  }
  const found = JSON.stringify(cases.map((one) => ("expected" in one ? one.expected : null)));
  const missing = codes.filter((code) => !found.includes(JSON.stringify(code)));
  if (missing.length > 0) {
    throw new Error(`No case of vectors/${name}.json leads to ${missing.join(", ")}; add one`);
  }
  const content = `${JSON.stringify({ description, cases }, null, 2)}\n`;
  return { path: `vectors/${name}.json`, content };
}
