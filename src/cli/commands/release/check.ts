import { releaseFile } from "../../../rules/release/catalog-files.ts";
import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { checkCatalog, formatIncomplete } from "../../../release/publishing/check-catalog.ts";
import { CommandError, defineCommand } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { OWN_FILES_OPTIONS } from "./own-files.ts";
import { openCatalogContext } from "./catalog-context.ts";
import { formatCoverage } from "./coverage.ts";

export const command = defineCommand({
  description:
    "Prints one line per error: the file, the place in it, what is wrong and what to do. Also lists what drafts still lack, and which updaters, systems and architectures would get each.",
  options: OWN_FILES_OPTIONS,
  async run(context) {
    const catalog = await openCatalogContext(context);
    const report = await checkCatalog(
      catalog.folder,
      catalog.now(),
      catalog.feeds,
      context.options["allow-version-mismatch"],
    );
    const { errors, warnings, incomplete, silent, scheduled, coverage, releases } = report;
    context.print(
      ...errors.map(formatFileError),
      ...warnings.map((warning) => `Warning: ${warning}`),
      ...incomplete.map((release) => `Note: ${formatIncomplete(release)}`),
      ...silent.map(
        (version) =>
          `Note: ${releaseFile(version)} has no notes; \`trellis release notes ${version}\` writes them`,
      ),
      ...scheduled.map(
        ({ version, at }) =>
          `Note: ${releaseFile(version)} is scheduled: the first \`trellis release sign\` or \`publish\` after ${at} publishes it`,
      ),
      ...coverage.flatMap(formatCoverage),
    );
    if (errors.length > 0) {
      throw new CommandError(`The catalogue has ${formatCount(errors.length, "error")}`, {
        ...report,
      });
    }
    context.print(`The catalogue is valid: ${formatCount(releases, "release")}`);
    context.json(report);
  },
});
