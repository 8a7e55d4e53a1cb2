/** Questions an architecture that clients will hardly ask for, such as `amd64`. */
import { confirm } from "@clack/prompts";
import { checkArchitecture, KNOWN_ARCHITECTURES } from "../../../rules/release/architectures.ts";
import { readCatalog } from "../../../release/catalog/read-catalog.ts";
import { flag, UsageError, type CommandContext, type StoreContext } from "../../command.ts";
import { expectInput } from "../../prompts.ts";
import { openCatalogContext } from "./catalog-context.ts";

export const ARCHITECTURE_OPTION = {
  "accept-architecture": flag("Take --architecture as it is, although it is an unusual name"),
} as const;

type Context = StoreContext &
  Pick<CommandContext, "isInteractive"> & {
    readonly options: { readonly architecture: string; readonly "accept-architecture": boolean };
  };

/** The architecture to enter. One that a target of the catalogue names is right. */
export async function chooseArchitecture(context: Context): Promise<string> {
  const { architecture } = context.options;
  if (architecture === "") throw new UsageError("--architecture must not be empty");
  const check = checkArchitecture(architecture);
  if (check.kind === "known" || context.options["accept-architecture"]) return architecture;
  if (await isTarget(context, architecture)) return architecture;
  const doubt =
    check.kind === "alias"
      ? `"${architecture}" is usually written "${check.usual}", and apps that ask for "${check.usual}" would not find this file`
      : `"${architecture}" is none of the usual architectures (${KNOWN_ARCHITECTURES.join(", ")})`;
  if (!context.isInteractive) {
    const meant = check.kind === "alias" ? `did you mean --architecture ${check.usual}? ` : "";
    throw new UsageError(
      `${doubt}: ${meant}Add --accept-architecture if "${architecture}" is right`,
    );
  }
  return check.kind === "alias"
    ? askWhich(doubt, architecture, check.usual)
    : expectAccepted(doubt, architecture);
}

async function isTarget(context: StoreContext, architecture: string): Promise<boolean> {
  const catalog = await openCatalogContext(context);
  const result = await readCatalog(catalog.folder, catalog.now());
  // What is wrong with the catalogue is told when the artifact is added.
  if (result.kind === "invalid") return false;
  return result.catalog.settings.targets.some((target) => target.architecture === architecture);
}

async function askWhich(doubt: string, given: string, usual: string): Promise<string> {
  const isUsual = expectInput(
    await confirm({ message: `${doubt}. Enter it as "${usual}"?`, initialValue: true }),
  );
  return isUsual ? usual : given;
}

async function expectAccepted(doubt: string, given: string): Promise<string> {
  const isRight = expectInput(
    await confirm({ message: `${doubt}. Is it right?`, initialValue: false }),
  );
  if (isRight) return given;
  throw new UsageError(`Nothing was changed: give the right --architecture`);
}
