/** The software bill of materials in CycloneDX, from the lock file: it names no registry. */
import { execFileSync } from "node:child_process";

interface Bill {
  readonly metadata: { readonly component: Record<string, unknown> };
  readonly components: readonly Record<string, unknown>[];
}

/** Packages that only development needs are marked as such; the pages contain some of them. */
export function createSoftwareBill(root: string, name: string): string {
  const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const bill = JSON.parse(text) as Bill;
  // npm takes the name of the folder.
  bill.metadata.component["name"] = name;
  // Where the packages were fetched from is a matter of the machine that built.
  for (const component of bill.components) delete component["externalReferences"];
  return `${JSON.stringify(bill, null, 2)}\n`;
}
