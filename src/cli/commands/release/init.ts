import { basename, dirname } from "node:path";
import { initCatalog } from "../../../release/publishing/init-catalog.ts";
import { defineCommand, option, UsageError, type PromptContext } from "../../command.ts";
import { askText } from "../../prompts.ts";
import { ARCHITECTURE_OPTION, chooseTargets } from "./choose-architecture.ts";
import { parseHost } from "./parse-options.ts";
import { expectAllowed, openCatalogContext } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "Creates the configured catalogue folder with catalog.json, an empty key ring and a folder for releases. Keep the catalogue in version control.",
  options: {
    product: option("NAME", "The product's name, such as habits"),
    target: option(
      "PLATFORM/ARCH",
      "A target that every release must have, such as android/universal",
      { multiple: true },
    ),
    ...ARCHITECTURE_OPTION,
    host: option("HOST", "A host that artifacts may be downloaded from (default: any https host)", {
      multiple: true,
    }),
  },
  examples: [
    "trellis release init --product habits --target android/universal --target windows/x64 --host downloads.example.com",
  ],
  async run(context) {
    const { target, "accept-architecture": isAccepted } = context.options;
    const artifactHosts = context.options.host.map(parseHost);
    const targets = await chooseTargets(context, target, isAccepted);
    const catalog = await openCatalogContext(context);
    const product = context.options.product ?? (await askProduct(context, catalog.folder));
    const { result } = expectAllowed(initCatalog(catalog, { product, targets, artifactHosts }));
    context.print(
      `Created the catalogue of "${product}" in ${catalog.folder}`,
      targets.length === 0 && NO_TARGETS,
      "Next: create the signing keys with `trellis release key new`",
    );
    context.json({ folder: catalog.folder, catalog: result });
  },
});

export const NO_TARGETS =
  "No targets yet: list the targets that every release must have in catalog.json";

async function askProduct(context: PromptContext, folder: string): Promise<string> {
  if (!context.isInteractive) throw new UsageError("Missing option --product NAME");
  return askText(
    context,
    "The product's name (it is signed into every manifest)",
    suggestProduct(dirname(folder)),
  );
}

/** A project's folder usually has the product's name. */
export function suggestProduct(folder: string): string {
  return basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
