/** Checks the documentation: every relative link and anchor leads somewhere, every JSON sample parses. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { execFileSync } from "node:child_process";

const ROOT = join(import.meta.dirname, "..");
const problems: string[] = [];

for (const file of listMarkdown()) {
  const text = await readFile(file, "utf8");
  const prose = text.replaceAll(/^```.*?^```/gms, "");
  for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) await checkLink(file, target);
  for (const [, sample = ""] of text.matchAll(/^```json\n(.*?)^```/gms)) checkJson(file, sample);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function listMarkdown(): string[] {
  const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return names
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => join(ROOT, name));
}

async function checkLink(file: string, target: string): Promise<void> {
  if (/^[a-z]+:/.test(target)) return;
  const [path = "", anchor] = target.split("#");
  const destination = path === "" ? file : resolve(dirname(file), path);
  if (!existsSync(destination)) {
    problems.push(`${relative(ROOT, file)}: the link "${target}" leads nowhere`);
  } else if (anchor !== undefined && destination.endsWith(".md")) {
    const anchors = listAnchors(await readFile(destination, "utf8"));
    if (!anchors.has(anchor)) {
      problems.push(`${relative(ROOT, file)}: "${target}" names no heading of that page`);
    }
  }
}

function listAnchors(text: string): Set<string> {
  const headings = text.replaceAll(/^```.*?^```/gms, "").matchAll(/^#{1,6}\s+(.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    ),
  );
}

function checkJson(file: string, sample: string): void {
  try {
    JSON.parse(sample);
  } catch (error) {
    problems.push(`${relative(ROOT, file)}: a JSON sample does not parse: ${String(error)}`);
  }
}
