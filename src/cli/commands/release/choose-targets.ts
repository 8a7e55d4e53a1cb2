/** The targets of a new catalogue, with usual names of architectures or accepted ones. */
import type { CatalogTarget } from "../../../contract/release/catalog.ts";
import { ARTIFACT_PLATFORMS } from "../../../contract/release/values.ts";
import { UsageError, type PromptContext } from "../../command.ts";
import { questionArchitecture } from "./choose-architecture.ts";
import { parseChoice } from "./parse-options.ts";

/** Reads targets of the form `PLATFORM/ARCH`. Every mistyped target is told before the first question. */
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
