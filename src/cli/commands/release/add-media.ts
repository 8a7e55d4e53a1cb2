import { addMedia } from "../../../release/publishing/add-to-draft.ts";
import { defineCommand } from "../../command.ts";
import { showProgress } from "../../progress.ts";
import { readHttps, readVersion } from "./read-options.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const addMediaCommand = defineCommand({
  summary: "Enter a picture of the release story in a draft",
  description: "An AVIF, JPEG, PNG or WebP picture that highlights name by its id.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The picture", required: true },
  },
  options: {
    id: {
      type: "string",
      value: "ID",
      required: true,
      description: "What highlights call it, such as dark-mode",
    },
    url: {
      type: "string",
      value: "URL",
      required: true,
      description: "Where this very file is loaded from",
    },
  },
  async run(context) {
    const { args, options } = context;
    const wanted = {
      version: readVersion("VERSION", args.version),
      path: args.file,
      id: options.id,
      url: readHttps("--url", options.url),
    };
    const bench = await openCatalogContext(context);
    const progress = showProgress(context, "Hashing");
    const { media, change, warnings } = resultOf(await addMedia(bench, wanted, progress), context);
    const done = change === "added" ? "Added" : "Replaced";
    context.print(`${done} the picture "${media.id}" (${media.mimeType}, ${media.size} bytes)`);
    context.print(`Next: name it as mediaId of a highlight in the draft's presentation`);
    for (const warning of warnings) context.warn(`Warning: ${warning}`);
    context.json({ version: wanted.version, change, media, warnings });
  },
});
