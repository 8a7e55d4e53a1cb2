/** Questions an architecture that clients will hardly ask for, such as `amd64`. */
import { checkArchitecture, KNOWN_ARCHITECTURES } from "../../../rules/release/architectures.ts";
import { readCatalog } from "../../../release/catalog/read-catalog.ts";
import { flag, UsageError, type PromptContext, type StoreContext } from "../../command.ts";
import { askConfirmation } from "../../prompts.ts";
import { openCatalogContext } from "./catalog-context.ts";
import type { CatalogTarget } from "../../../contract/release/catalog.ts";
import { ARTIFACT_PLATFORMS } from "../../../contract/release/values.ts";
import { parseChoice } from "./parse-options.ts";

export const ARCHITECTURE_OPTION = {
  "accept-architecture": flag("Accept an architecture with an unusual name"),
} as const;

type Context = StoreContext &
  PromptContext & {
    readonly options: { readonly architecture: string; readonly "accept-architecture": boolean };
  };

/** The architecture to enter. An architecture that a target of the catalogue names is right. */
export async function chooseArchitecture(context: Context): Promise<string> {
  const { architecture } = context.options;
  if (architecture === "") throw new UsageError("--architecture must not be empty");
  const isUsual = checkArchitecture(architecture).kind === "known";
  if (isUsual || context.options["accept-architecture"]) return architecture;
  if (await isTarget(context, architecture)) return architecture;
  return questionArchitecture(context, architecture, (name) => `--architecture ${name}`);
}

/** The architecture as it is, or as the person corrects it. */
export async function questionArchitecture(
  context: PromptContext,
  architecture: string,
  /** The option that gives an architecture. */
  write: (architecture: string) => string,
): Promise<string> {
  const check = checkArchitecture(architecture);
  if (check.kind === "known") return architecture;
  const doubt =
    check.kind === "alias"
      ? `"${architecture}" is usually written "${check.usual}", and apps that ask for "${check.usual}" find no file of "${architecture}"`
      : `"${architecture}" is none of the usual architectures (${KNOWN_ARCHITECTURES.join(", ")})`;
  if (!context.isInteractive) {
    const meant = check.kind === "alias" ? `did you mean ${write(check.usual)}? ` : "";
    throw new UsageError(
      `${doubt}: ${meant}Add --accept-architecture if "${architecture}" is right`,
    );
  }
  if (check.kind === "alias") {
    const isUsual = await askConfirmation(context, `${doubt}. Enter it as "${check.usual}"?`, true);
    return isUsual ? check.usual : architecture;
  }
  if (await askConfirmation(context, `${doubt}. Is it right?`, false)) return architecture;
  throw new UsageError(`Nothing was changed: give the right ${write("ARCH")}`);
}

async function isTarget(context: StoreContext, architecture: string): Promise<boolean> {
  const catalog = await openCatalogContext(context);
  const result = await readCatalog(catalog.folder, catalog.now());
  // The step that adds the artifact reports what is wrong with the catalogue.
  if (result.kind === "invalid") return false;
  return result.catalog.settings.targets.some((target) => target.architecture === architecture);
}

/** Reads targets of a new catalogue, `PLATFORM/ARCH`. Every mistyped target is reported before the first question. */
export async function chooseTargets(
  context: PromptContext,
  given: readonly string[],
  isAccepted: boolean,
): Promise<CatalogTarget[]> {
  const targets: CatalogTarget[] = [];
  for (const { platform, architecture } of given.map(parseTarget)) {
    const write = (name: string) => `--target ${platform}/${name}`;
    const chosen = isAccepted
      ? architecture
      : await questionArchitecture(context, architecture, write);
    targets.push({ platform, architecture: chosen });
  }
  return targets;
}

function parseTarget(target: string): CatalogTarget {
  const [platform = "", architecture = "", ...rest] = target.split("/");
  if (architecture === "" || rest.length > 0) {
    throw new UsageError(`--target must be PLATFORM/ARCH such as windows/x64, not "${target}"`);
  }
  return {
    platform: parseChoice("The platform of --target", platform, ARTIFACT_PLATFORMS),
    architecture,
  };
}
