import { addMedia } from "../../../release/publishing/add-to-draft.ts";
import { defineCommand, option } from "../../command.ts";
import { formatFileSize } from "../../format.ts";
import { showByteProgress } from "../../progress.ts";
import { parseHttpsUrl, parseVersionOption } from "./parse-options.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "The picture is AVIF, JPEG, PNG or WebP. Highlights of the release notes refer to it by its id.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The picture", required: true },
  },
  options: {
    id: option("ID", "The id that highlights refer to, such as dark-mode", { required: true }),
    url: option("URL", "The download address of this file", { required: true }),
  },
  async run(context) {
    const { args, options } = context;
    const request = {
      version: parseVersionOption("VERSION", args.version),
      path: args.file,
      id: options.id,
      url: parseHttpsUrl("--url", options.url),
    };
    const { media, change, warnings } = await changeConfiguredCatalog(context, (catalog) =>
      addMedia(catalog, request, showByteProgress(context, "Hashing")),
    );
    const done = change === "added" ? "Added" : "Replaced";
    context.print(
      `${done} the picture "${media.id}" (${media.mimeType}): ${formatFileSize(media.size)}`,
      "Next: set it as the mediaId of a highlight in the draft's presentation",
    );
    for (const warning of warnings) context.warn(`Warning: ${warning}`);
    context.json({ version: request.version, change, media, warnings });
  },
});
