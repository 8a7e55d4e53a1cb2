import { isCancel, text } from "@clack/prompts";
import { basename, dirname } from "node:path";
import type { CatalogTarget } from "../../../contract/release/catalog.ts";
import { ARTIFACT_PLATFORMS } from "../../../contract/release/values.ts";
import { initCatalog } from "../../../release/publishing/init-catalog.ts";
import { CommandError, defineCommand, UsageError, type CommandContext } from "../../command.ts";
import { readChoice } from "./read-options.ts";
import { failure, openCatalogContext } from "./workbench.ts";

export const initCommand = defineCommand({
  summary: "Begin a catalogue",
  description:
    "Makes the catalogue folder that the configuration names: catalog.json, an empty key ring and a place for releases. Keep it in version control.",
  options: {
    product: { type: "string", value: "NAME", description: "The product's name, such as habits" },
    target: {
      type: "string",
      value: "PLATFORM/ARCH",
      multiple: true,
      description: "What a complete release must have, such as android/universal",
    },
    host: {
      type: "string",
      value: "HOST",
      multiple: true,
      description: "Where artifacts may lie; without it, on any https host",
    },
  },
  examples: [
    "trellis release init --product habits --target android/universal --target windows/x64 --host downloads.example.com",
  ],
  async run(context) {
    const bench = await openCatalogContext(context);
    const targets = context.options.target.map(readTarget);
    const product = context.options.product ?? (await askProduct(context, bench.folder));
    const outcome = initCatalog(bench, { product, targets, artifactHosts: context.options.host });
    if (outcome.kind === "refused") throw failure(outcome);
    context.print(`Began the catalogue of "${product}" in ${bench.folder}`);
    if (targets.length === 0) {
      context.print("No targets yet: list in catalog.json what a complete release must have");
    }
    context.print("Next: make the signing keys with `trellis release key new`");
    context.json({ folder: bench.folder, catalog: outcome.result });
  },
});

export function readTarget(target: string): CatalogTarget {
  const [platform = "", architecture = "", ...rest] = target.split("/");
  if (architecture === "" || rest.length > 0) {
    throw new UsageError(`--target must be PLATFORM/ARCH such as windows/x64, not "${target}"`);
  }
  return {
    platform: readChoice("The platform of --target", platform, ARTIFACT_PLATFORMS),
    architecture,
  };
}

async function askProduct(
  context: Pick<CommandContext, "isInteractive">,
  folder: string,
): Promise<string> {
  if (!context.isInteractive) throw new UsageError("Missing option --product NAME");
  const answer = await text({
    message: "The product's name (it is signed into every manifest)",
    initialValue: suggestProduct(dirname(folder)),
  });
  if (isCancel(answer)) throw new CommandError("Cancelled, nothing was changed");
  return answer;
}

/** A project's folder usually bears the product's name. */
export function suggestProduct(folder: string): string {
  return basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
