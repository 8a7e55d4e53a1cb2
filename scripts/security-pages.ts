/**
 * The pages of threats, of bounded work and of OWASP ASVS 5.0, from the data beside them. `check-docs.ts` finds
 * each test that the data names.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable } from "./page-blocks.ts";

interface Threat {
  readonly id: string;
  readonly area: keyof typeof AREAS;
  readonly threat: string;
  readonly defence: string;
  readonly tests: readonly (
    | { readonly file: string; readonly name: string }
    | { readonly conformance: string; readonly name: string }
  )[];
  /** Requirements of ASVS that the defence meets. */
  readonly standards: readonly string[];
}

interface Bound {
  /** Where input from outside costs time or memory. */
  readonly place: string;
  readonly bound: string;
  /** The constants, settings or functions that bound it; none for what all of the sources obey. */
  readonly code: readonly { readonly file: string; readonly name: string }[];
  /** They feed its worst case. */
  readonly tests: Threat["tests"];
}

interface Requirement {
  readonly id: string;
  readonly level: 1 | 2;
  readonly subject: string;
  readonly state: (typeof STATES)[number];
  /** Where it is met, or what is missing; absent when threats say it. */
  readonly where?: string;
}

const FOLDER = "docs/security";
const AREAS = {
  release: "Releases",
  identity: "Sign-in, sessions and tokens",
  sync: "Sync",
  events: "Events",
  http: "HTTP",
  storage: "Keys, stores and backups",
  operation: "Operation",
} as const;
const STATES = ["met", "partly", "not", "n/a"] as const;

export async function generateSecurityPages(): Promise<GeneratedFile[]> {
  const threats = await readData<Threat>("threats.json");
  const requirements = await readData<Requirement>("asvs.json");
  const bounds = await readData<Bound>("bounds.json");
  return [
    { path: `${FOLDER}/bounds.md`, content: createBoundsPage(bounds) },
    { path: `${FOLDER}/threats.md`, content: createThreatsPage(threats) },
    { path: `${FOLDER}/asvs.md`, content: createAsvsPage(requirements, threats) },
  ];
}

async function readData<T>(name: string): Promise<readonly T[]> {
  return JSON.parse(await readFile(join(import.meta.dirname, "..", FOLDER, name), "utf8")) as T[];
}

function createThreatsPage(threats: readonly Threat[]): string {
  const areas = Object.entries(AREAS).map(([area, title]) => {
    const entries = threats.filter((threat) => threat.area === area).map(describeThreat);
    return `## ${title}\n\n${entries.join("\n")}`;
  });
  return joinPage(
    "# Threats",
    "Each threat and its defence. `npm run generate` writes this page from `threats.json`, which also names tests\n" +
      "that fail without the defence. What it adds up to is in [Security](../security.md).",
    ...areas,
  );
}

function describeThreat({ id, threat, defence, tests }: Threat): string {
  if (tests.length === 0) throw new Error(`The threat ${id} has no test`);
  return `- **${id}. ${threat}** ${defence}`;
}

function createBoundsPage(bounds: readonly Bound[]): string {
  return joinPage(
    "# Bounded work",
    "Where input from outside costs time or memory, what bounds it, and the code that does. `npm run generate` writes\n" +
      "this page from `bounds.json`, which also names the tests that feed the worst case.",
    bounds.map(describeBound).join("\n"),
  );
}

function describeBound({ place, bound, code }: Bound): string {
  const named = code.map(({ file, name }) => `\`${name}\` in \`${file}\``);
  const where = named.length === 0 ? "" : ` (${named.join(", ")})`;
  return `- **${place}**: ${bound}${where}.`;
}

function createAsvsPage(requirements: readonly Requirement[], threats: readonly Threat[]): string {
  const threatsByRequirement = new Map(requirements.map(({ id }) => [id, [] as string[]]));
  for (const { id, standards } of threats) {
    for (const standard of standards) {
      const ids = threatsByRequirement.get(standard);
      if (ids === undefined) throw new Error(`The threat ${id} names no requirement: ${standard}`);
      ids.push(id);
    }
  }
  const rows = requirements
    .filter(({ state }) => state !== "n/a")
    .map(({ id, level, subject, state, where }) => {
      const ids = threatsByRequirement.get(id) ?? [];
      if (where === undefined && ids.length === 0) throw new Error(`${id} says nowhere why`);
      return [
        id,
        String(level),
        subject,
        state,
        [where, ids.join(", ")].filter(Boolean).join("; "),
      ];
    });
  const absent = requirements.filter(({ state }) => state === "n/a").map(({ id }) => id);
  return joinPage(
    "# OWASP ASVS 5.0, levels 1 and 2",
    "Judged by the makers from code and tests; no outsider has verified it. The subject is ours, the\n" +
      "[standard](https://owasp.org/www-project-application-security-verification-standard/) has the\n" +
      "sentence. Ids such as I13 are [threats](threats.md). `npm run generate` writes this page from\n" +
      "`asvs.json`.",
    formatMarkdownTable([
      ["Level", ...STATES],
      countStates(requirements, 1),
      countStates(requirements, 2),
    ]),
    formatMarkdownTable([
      ["Id", "Level", "Subject", "State", "Where, or what is missing"],
      ...rows,
    ]),
    `Not applicable: ${absent.join(", ")}.`,
  );
}

function countStates(requirements: readonly Requirement[], level: number): string[] {
  const count = (wanted: string) =>
    requirements.filter((one) => one.level === level && one.state === wanted).length;
  return [String(level), ...STATES.map((state) => String(count(state)))];
}

function joinPage(...parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
