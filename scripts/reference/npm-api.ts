/**
 * The pages of the npm package's exports, from the comments beside the declarations that `package.json` leads to.
 *
 * Every export has a sentence, and every parameter, result and member a meaning: its own, or the sentence of its
 * type. A function has an example, or stands in the example of another function of its page; types and
 * constants need none, because the examples of the functions that use them show them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GeneratedFile } from "../bundle-web.ts";
import type { Declaration, Member } from "./declarations.ts";
import { readComment } from "./doc-comment.ts";
import { listPages, type EntryPage } from "./exports.ts";
import { code, createPage, createTable } from "./page.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = "npm-api";
const SOURCE = "the comments of the modules that package.json exports";

interface Page extends EntryPage {
  /** `trellis/client` */
  readonly entry: string;
  /** The module of the entry. */
  readonly file: string;
  readonly title: string;
  readonly path: string;
}

export async function generateNpmApiPages(): Promise<GeneratedFile[]> {
  const pages = await listNpmPages();
  const rows = pages.map(({ title, path, about }) => [`[${title}](${path}.md)`, about]);
  return [
    createPage(FOLDER, SOURCE, [
      "# npm API",
      [
        "The package exports these modules. An editor shows the same sentences. Everything else in the package is internal",
        "and may change in any version.",
      ].join("\n"),
      createTable(["Module", "What it is for"], rows),
    ]),
    ...pages.map((page) => createNpmPage(page, pages)),
  ];
}

export async function listNpmPages(): Promise<Page[]> {
  const { exports } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const pages = Object.entries(exports).map(async ([entry, target]) => {
    if (typeof target === "string") return [];
    const name = target.types.replace("./dist/types/", "").replace(/\.d\.ts$/, ".ts");
    return describeEntry(`trellis${entry.slice(1)}`, join(ROOT, name));
  });
  return (await Promise.all(pages)).flat();
}

async function describeEntry(entry: string, file: string): Promise<Page[]> {
  const [, comment = ""] = /^\/\*(\*[^]*?)\*\//.exec(await readFile(file, "utf8")) ?? [];
  const { text } = readComment(comment);
  const whole = text.replace(/^`[^`]*`: (.)/, (_, first: string) => first.toUpperCase());
  return (await listPages(file)).map((page) => {
    const own = page.name === "" ? entry.slice("trellis/".length) : page.name;
    const title = page.name === "" ? entry : `${entry}: ${page.name.replace(/^\w+-/, "")}`;
    const path = `${FOLDER}/${own.replaceAll("/", "-")}`;
    return {
      ...page,
      entry,
      file,
      title,
      path,
      about: page.about === "" ? firstSentence(whole) : page.about,
    };
  });
}

/** What the reference lacks of the exports. */
export async function findUnexplained(): Promise<string[]> {
  const pages = await listNpmPages();
  const known = new Map(
    pages.flatMap(({ declarations }) => declarations.map((one) => [one.name, one])),
  );
  return pages.flatMap(({ title, declarations }) => {
    const examples = declarations.map(({ comment }) => comment.example).join("\n");
    return declarations.flatMap((one) => {
      const problems = one.comment.text === "" ? ["a sentence about what it is for"] : [];
      if (one.kind === "function") {
        const rows = describeParameters(one, known);
        const silent = rows.filter(([, , meaning]) => meaning === "").map(([name]) => name);
        problems.push(...silent.map((name) => `a meaning of ${name}: add @param or @returns`));
        const isShown = new RegExp(String.raw`\b${one.name}\b`).test(examples);
        if (!isShown) problems.push("an example on its page that uses it");
      }
      const silent = one.members.filter((member) => describeMember(member, known) === "");
      problems.push(...silent.map(({ name }) => `a comment about ${name}`));
      return problems.map((problem) => `"${one.name}" of ${title} needs ${problem}`);
    });
  });
}

function createNpmPage(page: Page, pages: readonly Page[]): GeneratedFile {
  const { path, title, entry, about } = page;
  const declarations = page.declarations.toSorted(
    (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1),
  );
  const all = new Map(pages.flatMap((each) => each.declarations.map((one) => [one.name, one])));
  const parts = declarations.flatMap((one) => [
    `## ${one.name}`,
    one.comment.text,
    ...describe(one, all),
    ...listTypes(one, page, pages),
  ]);
  return createPage(path, SOURCE, [
    `# ${title}`,
    `${about} Import it from ${code(entry)}.`,
    ...parts,
  ]);
}

/** Functions first: the other exports are what they take and return. */
function rank({ kind }: Declaration): number {
  return ["function", "class", "constant", "interface", "type"].indexOf(kind);
}

function describe(one: Declaration, all: ReadonlyMap<string, Declaration>): string[] {
  const block = `\`\`\`ts\n${one.code}\n\`\`\``;
  const { example } = one.comment;
  switch (one.kind) {
    case "function":
      return [
        block,
        createTable(["Parameter", "Type", "Meaning"], describeParameters(one, all)),
        ...(example === "" ? [] : [example]),
      ];
    case "interface":
    case "class":
      if (one.members.length === 0) return [block];
      return [
        ...(one.code.includes(" extends ") ? [block] : []),
        createTable(
          ["Member", "Type", "Meaning"],
          one.members.map((member) => toRow(member, all)),
        ),
      ];
    case "type":
    case "constant":
      return /= (?:Type\.|closedObject|Static<)/.test(one.code) ? [] : [block];
  }
}

function describeParameters(one: Declaration, all: ReadonlyMap<string, Declaration>): string[][] {
  const { parameters, result } = one.comment;
  const names = [...parameters.keys()];
  const rows = one.parameters.map(({ name, type }, index) => {
    const known = name === "" ? (names[index] ?? "") : name;
    const own = parameters.get(known.replace("?", ""));
    return [code(known), code(type), upperFirst(own ?? sentenceOfType(type, all))];
  });
  const returned =
    /\): ([^)]*(?:\([^)]*\)[^)]*)*)$/.exec(one.code.split("\n").join(" "))?.[1] ?? "";
  const meaning = result === "" ? sentenceOfType(returned, all) : upperFirst(result);
  return [...rows, ["Result", code(returned.replaceAll(/\s+/g, " ").replace(/;$/, "")), meaning]];
}

function sentenceOfType(type: string, all: ReadonlyMap<string, Declaration>): string {
  const named = type
    .match(/\w+/g)
    ?.map((name) => all.get(name))
    .find((one) => one !== undefined);
  return named === undefined ? "" : firstSentence(named.comment.text);
}

function toRow(member: Member, all: ReadonlyMap<string, Declaration>): string[] {
  return [code(member.name), code(member.type), describeMember(member, all)];
}

/** A type of its own, such as `Partial<UpdateLimits>`, says what a member without a comment is. */
function describeMember({ type, comment }: Member, all: ReadonlyMap<string, Declaration>): string {
  const isNamed = /^(?:Partial<)?\w+>?(?:\[\])?$/.test(type);
  return comment || (isNamed ? sentenceOfType(type, all) : "");
}

/** Where the exported types are that a declaration names. */
function listTypes(one: Declaration, page: Page, pages: readonly Page[]): string[] {
  const written = [one.code, ...one.members.map(({ type }) => type)].join("\n");
  const names = new Set(written.replaceAll(/\/\*.*?\*\//gs, "").match(/\b[A-Z]\w+/g));
  const links = [...names].flatMap((name) => {
    if (name === one.name) return [];
    const has = (each: Page) => each.declarations.some((other) => other.name === name);
    const place = has(page) ? page : pages.find(has);
    if (place === undefined) return [];
    const file = place === page ? "" : `${place.path.slice(FOLDER.length + 1)}.md`;
    return [`[${name}](${file}#${name.toLowerCase()})`];
  });
  return links.length === 0 ? [] : [`See ${links.join(", ")}.`];
}

function firstSentence(text: string): string {
  const [first = text] = /^.*?[.](?= [A-Z]|$)/.exec(text) ?? [];
  return first;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
