import { releaseFile } from "../../../rules/release/catalog-files.ts";
import { formatFeedPresence } from "../../../rules/release/feeds/feed-presence.ts";
import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { checkCatalog, formatIncomplete } from "../../../release/publishing/check-catalog.ts";
import { CommandError, defineCommand } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { openCatalogContext } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "Prints one line per error: the file, the place in it, what is wrong and what to do. Also says what drafts still lack, and which files are missing from a feed for another updater.",
  async run(context) {
    const catalog = await openCatalogContext(context);
    const report = await checkCatalog(catalog.folder, catalog.now(), catalog.feeds);
    const { errors, warnings, incomplete, silent, feeds, releases } = report;
    context.print(
      ...errors.map(formatFileError),
      ...warnings.map((warning) => `Warning: ${warning}`),
      ...incomplete.map((release) => `Note: ${formatIncomplete(release)}`),
      ...silent.map(
        (version) =>
          `Note: ${releaseFile(version)} has no notes; \`trellis release notes ${version}\` writes them`,
      ),
      ...feeds.map(
        (presence) => `Note: ${releaseFile(presence.version)} in ${formatFeedPresence(presence)}`,
      ),
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
