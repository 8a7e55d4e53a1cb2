/** `trellis release …`: everything a maker does with a catalogue. */
import type { CommandGroup } from "../../command.ts";
import { addArtifactCommand } from "./add-artifact.ts";
import { addMediaCommand } from "./add-media.ts";
import { checkCommand } from "./check.ts";
import { decideCommand } from "./decide.ts";
import { exportCommand } from "./export.ts";
import { initCommand } from "./init.ts";
import { keyNewCommand } from "./key-new.ts";
import { keyRotateCommand } from "./key-rotate.ts";
import { keyShowCommand } from "./key-show.ts";
import { newCommand } from "./new.ts";
import { publishCommand } from "./publish.ts";
import { signCommand } from "./sign.ts";
import { statusCommand } from "./status.ts";
import { verifyCommand } from "./verify.ts";
import { withdrawCommand } from "./withdraw.ts";

export const releaseCommands: CommandGroup = {
  summary: "Publish versions of an app, signed",
  commands: {
    init: initCommand,
    key: {
      summary: "The keys that sign releases",
      commands: { new: keyNewCommand, show: keyShowCommand, rotate: keyRotateCommand },
    },
    new: newCommand,
    "add-artifact": addArtifactCommand,
    "add-media": addMediaCommand,
    check: checkCommand,
    publish: publishCommand,
    sign: signCommand,
    verify: verifyCommand,
    withdraw: withdrawCommand,
    status: statusCommand,
    decide: decideCommand,
    export: exportCommand,
  },
};
