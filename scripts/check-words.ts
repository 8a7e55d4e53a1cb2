/** Fails when code or documentation uses a word that `docs/glossary.md` has a better one for. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Rule {
  readonly banned: RegExp;
  readonly instead: string;
  /** Files in which the word is fixed, or has another, correct meaning. */
  readonly except?: readonly RegExp[];
}

/** Ids, titles and cited requirements of conformance cases are fixed. */
const CASES = /^conformance\/(?:\w+\/cases\/|http-cases\.ts$)/;
/** `CaseOutcome` is exported by the package, and a report has the member `outcome`. */
const REPORTS =
  /^(test\/)?conformance\/|^docs\/reference\/npm-api\/conformance\.md$|^test\/sync\/host\/conformance\.|^examples\/demo\/run-conformance\.ts$/;
/** A line of the log, and the notice that it is made of, have the member `outcome`. */
const FETCH_NOTICES =
  /^src\/(events\/subscriptions\/subscription-worker|operate\/notices|events\/index\.test)\b/;
/** For words that are wrong in the documentation alone. */
const CODE = /^(?!docs\/)/;
/** The field says fault injection. Titles of conformance cases are fixed. */
const FAULT_INJECTION =
  /^test\/(soak|client\/(simulation|sync\/(faulty-storage|killed))|groups|sync\/faults)\b|^conformance\/\w+\/cases\//;
/** For riddles in the comments of sources. */
const NO_SOURCE = /^(?!(src|conformance|scripts|store-contract|storage-contract)\/)/;
/** A person at a terminal answers questions. */
const PROMPTS =
  /^src\/cli\/(command|prompts|secret-input|commands\/init)\b|^test\/(fixtures\/run-at-terminal|service\/init)\b/;

const RULES: readonly Rule[] = [
  {
    // Samples in quotes, such as `client_id: "nobody"`, name an account or a client that does not exist.
    banned:
      /(?<=^|[\s(])(whoever|nobody|somebody|anybody)\b(?!\))|["'`](whoever|nobody|somebody|anybody)(?= )/i,
    instead: "the name of the subject",
    except: [CASES],
  },
  { banned: /\b(giv\w+|ask\w*) (for )?leave\b|\bleave of\b/i, instead: "consent, grant, access" },
  {
    banned: /\bgiv(e|es|ing) (it|(its|the|a) tokens?) back\b/i,
    instead: "revoke",
    except: [CODE],
  },
  {
    // In backquotes it is the member of a report.
    banned: /(?<!`)\b\w*([Oo]utcome|[Vv]erdict|Refusal|Breach|Hindrance)s?\b/,
    instead: "result, …Result or …Error",
    except: [REPORTS, FETCH_NOTICES],
  },
  {
    banned: /\b(type|interface|class) \w*(Problem|Fault|Violation|Reading)s?\b/,
    instead: "…Result or …Error",
  },
  { banned: /\breadonly ok: (true|false)\b/, instead: "kind" },
  { banned: /\b(type|interface|class) \w*Exchange\b/, instead: "RawRequest, …Request" },
  // With a hyphen it is the id of a conformance case or the code of a fetch error.
  {
    banned: /(?<![\w-])[Aa]nswer(s|ed|ing|[A-Z]\w*)?(?![\w-])|[a-z]Answer/,
    instead: "response, respond, send",
    except: [CASES, PROMPTS],
  },
  { banned: /(?<![\w-])burn(s|ed|ing)?(?![\w-])/i, instead: "consume", except: [CASES] },
  { banned: /\b(hindrance|workbench|harvest|vault|wishes)\b/i, instead: "see docs/glossary.md" },
  {
    banned:
      /\b(createPreparation|createPolicyParts|nameBrowser|isFromElsewhere|createGate)\b|\b(form-gate|forgery-guard|typed-feed|sketch-catalog)\b/,
    instead: "what it does",
  },
  {
    banned: /\b\w*(HitRecords|Visits|Shelf|EventsDesk)\b|\b[a-z]+Story\b|\brelease('s)? story\b/,
    instead: "counters, page sessions, group, administration, presentation",
  },
  {
    banned: /\b(house|doors|floors)\b/i,
    instead: "layers, dependencies",
    except: [CODE],
  },
  { banned: /\bwhere the \w+ stands\b/i, instead: "status" },
  { banned: /\bsign(ed|s|ing)? anew\b/i, instead: "re-sign" },
  { banned: /\bin the place of the store\b/i, instead: "restore" },
  { banned: /\benter a built file\b/i, instead: "add an artifact" },
  { banned: /\bneeds? your eye\b/i, instead: "needs attention" },
  { banned: /\bway back\b/i, instead: "restore" },
  {
    banned:
      /\bat hand\b|\bfor the world\b|\bby another way\b|\bbelongs? into\b|\bEiner App Sync\b/i,
    instead: "install, public, in another way, belongs in, Sync in eine App einbauen",
  },
  {
    // In code a clock may stand still, and a release may be out for everybody.
    banned: /\bstands? still\b|\banew\b|\bout for everybody\b|\bfor ever\b/i,
    instead: "hangs, again, offered to everyone, forever",
    except: [CODE, /^docs\/security\/threats\.(json|md)$/],
  },
  // The list of changes names what an option was called before.
  { banned: /--holds\b/, instead: "--fixtures", except: [/^CHANGELOG\.md$/] },
  { banned: /\bprints as\b|\bwhere nothing can be\b/i, instead: "the condition and the guarantee" },
  { banned: /\bcop(y|ied)[- ]back\b|\blost (its|their) history\b/i, instead: "roll back" },
  { banned: /\blook(s|ed|ing)? after\b/i, instead: "manage" },
  {
    // A folder of tests is called `faults`.
    banned: /\b[Ff]aults?\b(?!\/)|[a-z]Faults?\b|_fault\b/,
    instead: "error",
    except: [FAULT_INJECTION],
  },
  {
    banned: /\b[A-Z]?[a-z]*InstanceFigures\b|\b(load|save|refresh)Figures\b|\bfigures\.json\b/,
    instead: "usage",
  },
  {
    banned: /\b(?!inter)\w*[a-z]Face\b|\b(site|demo)-face\b|\bface of\b|\bno face\b/,
    instead: "theme",
  },
  {
    banned: /\b\w*(Kept|Shown)(Operation|Write)s?\b|\b\w*Unseen\b|\bNOT_SEEN\b/,
    instead: "stored, confirmed, visible",
  },
  {
    // Two things can be told apart.
    banned:
      /^\s*(\/\/|\/?\*).*\b(is|are|was|were|be|been|being) ((also|only|then|already|never) )?told\b(?! apart)/,
    instead: "reported, notified, gets, reads",
    except: [NO_SOURCE],
  },
  {
    banned: /^\s*(\/\/|\/?\*).*\b[Ss]o (long|many|much)\b/,
    instead: "the name of the bound, or how many",
    except: [NO_SOURCE],
  },
];

const ROOT = join(import.meta.dirname, "..");
const FOLDERS = [
  "src",
  "conformance",
  "storage-contract",
  "store-contract",
  "test",
  "scripts",
  "bench",
  "docs",
  "site",
  "deploy",
  "examples",
  "openapi",
];

const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...FOLDERS, "*.md"], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n");
let count = 0;
for (const name of names.filter(isChecked)) {
  const lines = (await readFile(join(ROOT, name), "utf8")).split("\n");
  for (const [index, line] of lines.entries()) {
    for (const { banned, instead, except = [] } of RULES) {
      const found = banned.exec(line);
      if (found === null || except.some((files) => files.test(name))) continue;
      console.error(`${name}:${index + 1}: "${found[0]}"; say: ${instead}`);
      count++;
    }
  }
}
process.exitCode = count > 0 ? 1 : 0;

/** Migrations are not among them: one that was applied cannot be changed. */
function isChecked(name: string): boolean {
  return (
    /\.(tsx?|js|md|css|json|ya?ml)$|^deploy\//.test(name) &&
    !/^scripts\/check-words|^src\/web\/generated|package-lock\.json$/.test(name)
  );
}
