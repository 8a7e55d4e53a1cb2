import { discardDraft, planDiscard } from "../../../release/publishing/discard-draft.ts";
import { defineCommand } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { expectAllowed, expectChanged, openCatalogContext } from "./catalog-context.ts";
import { parseVersionOption } from "./parse-options.ts";

export const command = defineCommand({
  description:
    "Deletes the draft's file in the catalogue; its version and build number are free again. A published release is withdrawn instead.",
  arguments: { version: { description: "The draft", required: true } },
  options: PLAN_OPTIONS,
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const catalog = await openCatalogContext(context);
    const { draft: planned } = expectAllowed(await planDiscard(catalog, version));
    const { buildNumber, artifacts, notes } = planned;
    const noteCount = Object.values(notes).flat().length;
    const isConfirmed = await confirmPlan(context, {
      consequence: `This deletes the draft ${version} (build ${buildNumber}) with ${formatCount(artifacts.length, "artifact")} and ${formatCount(noteCount, "note")}`,
      details: ["The built files stay where they are"],
      plan: { version, buildNumber, artifacts: artifacts.length, notes: noteCount },
    });
    if (!isConfirmed) return;
    const draft = expectChanged(await discardDraft(catalog, version), context);
    context.print(`Deleted the draft ${version} (build ${draft.buildNumber})`);
    context.json({ discarded: draft });
  },
});
