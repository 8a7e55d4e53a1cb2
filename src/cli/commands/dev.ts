import { SYNC_PROFILES, type SyncProfile } from "../../contract/sync/operation-limits.ts";
import { createLineWriter } from "../../http/request-log.ts";
import { runUntilSignal } from "../../server/stop-signals.ts";
import {
  defineCommand,
  flag,
  option,
  UsageError,
  type CommandError,
  type Line,
} from "../command.ts";
import { describeMovedPorts } from "../describe-moved-ports.ts";
import { DEV_PORT, startDev, type RunningDev } from "../dev/start-dev.ts";
import { explainStartError } from "../explain-start-error.ts";
import { parseChoice } from "./release/parse-options.ts";

export const command = defineCommand({
  description:
    "Runs a sync server on loopback, creates an account, and prints a link that signs in a browser and opens a notes app, whose source you can copy. Any app on this machine can use the server, on any port. A command behind `--` starts your app's server beside it, with `PORT` and `SYNC_URL` in its environment, and the link leads there. Do not use it for data that matters: use `trellis init` and `trellis serve` instead.",
  arguments: {
    command: {
      description: "Starts your app's server, and ends with this one",
      multiple: true,
      isBehindDashes: true,
    },
  },
  options: {
    data: option("DIR", "Keep the data in this folder (default: a temporary one, deleted on exit)"),
    port: option("N", `Listen on this port (default: ${DEV_PORT}, or a free one when it is taken)`),
    profile: option(
      "NAME",
      "Which entities are accepted: `open`, the default, `habits`, or `sealed` for an app that encrypts end to end; the notes app needs `open`",
    ),
    log: flag("Also print one JSON line per request"),
  },
  optionHints: {
    host: "`trellis dev` listens on this machine only; for other devices use `trellis init` and `trellis serve`, behind HTTPS",
  },
  examples: [
    "trellis dev",
    "trellis dev --data ./data --port 4811",
    "trellis dev -- node serve.ts",
  ],
  async run(context) {
    const port = parsePort(context.options.port);
    const data = context.options.data ?? null;
    const profile = parseChoice("--profile", context.options.profile ?? "open", SYNC_PROFILES);
    const log = createLineWriter((text) => {
      if (context.options.log) context.terminal.stdout.write(text);
    });
    const { command: words } = context.args;
    const app = words.length === 0 ? null : { command: words, env: context.terminal.env };
    let error: CommandError | null = null;
    await runUntilSignal(
      (signal) => startDev({ data, port, profile, app, log, signal }).catch(explainStartError),
      (dev) => {
        context.json({
          sync: dev.baseUrl,
          link: dev.link,
          notes: dev.notes,
          ...(dev.app !== null && { app: dev.app.url }),
          account: dev.account,
        });
        context.print(...describe(dev, profile, data));
        void dev.app?.ended.then((reason) => {
          error = reason;
          process.kill(process.pid, "SIGTERM");
        });
      },
      { ignoreSecond: false },
    );
    context.print("", data === null ? "Stopped and removed the data" : "Stopped");
    if (error !== null) throw error;
  },
});

function describe(
  { baseUrl, link, account, app, moved }: RunningDev,
  profile: SyncProfile,
  data: string | null,
): Line[] {
  return [
    ...describeMovedPorts(moved),
    moved.length > 0 && "",
    `The sync server runs at ${baseUrl} with the profile "${profile}".`,
    app !== null
      ? "Open this link in two browsers, which signs each in to your app:"
      : profile === "open"
        ? "Open this link in two browsers. A note that you add in one appears in the other:"
        : 'This link signs a browser in for your own app. The notes app that it opens needs the profile "open", and cannot sync here:',
    "",
    `  ${link}`,
    "",
    "Your own app may use the server from any port of localhost.",
    `To sign in from your app, open the link in the same browser first, or use the account "${account.username}" with the part of the link after the # as its password.`,
    "",
    data === null
      ? "The data is deleted on exit; --data DIR keeps it."
      : `The data stays in ${data}`,
    "Press Ctrl+C to stop.",
  ];
}

function parsePort(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port < 65_536) return port;
  throw new UsageError(`--port must be 1 to 65535, not "${text}"`);
}
