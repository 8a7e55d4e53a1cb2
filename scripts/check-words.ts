/** Fails when code or documentation uses a word that `docs/glossary.md` has a better one for. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Rule {
  readonly banned: RegExp;
  readonly instead: string;
  /** Files in which the word has another, correct meaning. */
  readonly except?: RegExp;
}

/** Ids, titles and cited requirements of conformance cases are fixed. */
const CONFORMANCE = /^(src|test)\/conformance\//;

const RULES: readonly Rule[] = [
  {
    banned: /\b(whoever|nobody|somebody|anybody)\b/i,
    instead: "the name of the subject",
    // Tests use some of these as account names.
    except: /\.test\.ts$|^(src|test)\/conformance\//,
  },
  { banned: /\b(giv\w+|ask\w*) (for )?leave\b|\bleave of\b/i, instead: "consent, grant, access" },
  {
    banned: /\b\w*(Outcome|Verdict|Refusal|Breach|Hindrance)s?\b/,
    instead: "…Result or …Error",
    except: CONFORMANCE,
  },
  { banned: /\b\w*Answer\w*\b/, instead: "…Response", except: CONFORMANCE },
  { banned: /\bburn(s|ed|ing)?\b/i, instead: "consume", except: CONFORMANCE },
  { banned: /\b(hindrance|workbench|harvest|vault|wishes)\b/i, instead: "see docs/glossary.md" },
  { banned: /\bsign(ed|s)? anew\b/i, instead: "re-sign" },
  { banned: /\bneeds? your eye\b/i, instead: "needs attention" },
  { banned: /\bway back\b/i, instead: "restore" },
  {
    banned: /\bcop(y|ied)[- ]back\b|\blost (its|their) history\b/i,
    instead: "put back",
    // A migration that was applied cannot be changed.
    except: /\/migrations\//,
  },
  { banned: /\blooks? after\b/i, instead: "manage" },
];

const ROOT = join(import.meta.dirname, "..");
const PATTERNS = ["src", "scripts", "bench", "docs", "examples", "*.md", "openapi"];

const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...PATTERNS], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n");
let count = 0;
for (const name of names.filter(isChecked)) {
  const lines = (await readFile(join(ROOT, name), "utf8")).split("\n");
  for (const [index, line] of lines.entries()) {
    for (const { banned, instead, except } of RULES) {
      const found = except?.test(name) === true ? null : banned.exec(line);
      if (found === null) continue;
      console.error(`${name}:${index + 1}: "${found[0]}"; say: ${instead}`);
      count++;
    }
  }
}
process.exitCode = count > 0 ? 1 : 0;

function isChecked(name: string): boolean {
  return (
    /\.(tsx?|md|css|json)$/.test(name) && !/^scripts\/check-words|^src\/web\/generated/.test(name)
  );
}
