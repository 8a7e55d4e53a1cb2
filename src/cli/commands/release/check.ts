import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { checkCatalog, formatIncomplete } from "../../../release/publishing/check-catalog.ts";
import { CommandError, defineCommand } from "../../command.ts";
import { openCatalogContext } from "./workbench.ts";

export const checkCommand = defineCommand({
  summary: "Find every fault of the catalogue",
  description:
    "One line for each fault: the file, the place in it, what is wrong and what to do. Also says what drafts still lack.",
  async run(context) {
    const bench = await openCatalogContext(context);
    const report = await checkCatalog(bench.folder, bench.now());
    const { faults, warnings, incomplete, releases } = report;
    for (const fault of faults) context.print(formatFileError(fault));
    for (const warning of warnings) context.print(`Warning: ${warning}`);
    for (const release of incomplete) context.print(`Note: ${formatIncomplete(release)}`);
    if (faults.length > 0) {
      const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
      throw new CommandError(`The catalogue has ${count}`, { ...report });
    }
    context.print(
      `The catalogue is valid: ${releases === 1 ? "1 release" : `${releases} releases`}`,
    );
    context.json(report);
  },
});
