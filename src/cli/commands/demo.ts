import { createLineWriter } from "../../http/request-log.ts";
import { startDemo, type RunningDemo } from "../../../examples/demo/start-demo.ts";
import { runUntilSignal } from "../../server/stop-signals.ts";
import { defineCommand, flag, type CommandContext, type Line } from "../command.ts";
import { describeMovedPorts } from "../describe-moved-ports.ts";
import { explainStartError } from "../explain-start-error.ts";
import { onKey } from "../on-key.ts";
import { DEMO_HOST } from "../../../examples/demo/demo-releases.ts";
import { isSingleExecutable } from "../../server/is-single-executable.ts";

export const command = defineCommand({
  description:
    "Prints the address of a page with two devices that sync before your eyes. Listens on loopback only and keeps its data in a temporary folder, which is removed when it stops. A port that is taken is replaced by a free one.",
  options: {
    headless: flag("Only the services and their addresses, for scripts"),
    verbose: flag("Also print the addresses of all services, and commands to try"),
    log: flag("Also print one JSON line per request"),
  },
  async run(context) {
    const { headless: isHeadless, verbose } = context.options;
    const log = createLineWriter((text) => {
      if (context.options.log) context.terminal.stdout.write(text);
    });
    let ignoreKeys = () => {};
    await runUntilSignal(
      (signal) => startDemo({ isHeadless, log, signal }).catch(explainStartError),
      (demo) => {
        if (demo.movedPorts.length > 0) context.print(...describeMovedPorts(demo.movedPorts), "");
        context.json(toJson(demo));
        const program = nameProgram(context.terminal.env);
        if (demo.pageUrl === null) return context.print(...describeDemo(demo, program));
        context.print(...describePage(demo.pageUrl, verbose, context.isInteractive));
        if (verbose) context.print("", ...describeDemo(demo, program));
        else if (context.isInteractive) ignoreKeys = offerDetails(context, demo, program);
      },
      { ignoreSecond: false },
    );
    ignoreKeys();
    context.print("", "Stopped and removed the demo's folder");
  },
});

const DETAILS_KEY = "v";

function describePage(url: string, isVerbose: boolean, isInteractive: boolean): Line[] {
  const how = isInteractive ? `press ${DETAILS_KEY}` : "add --verbose";
  return [
    "Trellis is running. Open this address in a browser:",
    "",
    `  ${url}`,
    "",
    !isVerbose && `For the addresses of all services and commands to try, ${how}.`,
    "Press Ctrl+C to stop.",
  ];
}

/** Offers the details once, because they do not change. */
function offerDetails(
  { print, terminal }: Pick<CommandContext, "print" | "terminal">,
  demo: RunningDemo,
  program: string,
) {
  let isShown = false;
  return onKey(terminal.stdin, DETAILS_KEY, () => {
    if (isShown) return;
    isShown = true;
    print("", ...describeDemo(demo, program));
  });
}

function toJson(demo: RunningDemo) {
  return {
    ...(demo.pageUrl !== null && { page: demo.pageUrl }),
    release: demo.release.baseUrl,
    smartDownload: demo.release.smartDownload.url,
    website: demo.websiteUrl,
    sync: demo.sync.baseUrl,
    signIn: demo.sync.signInUrl,
    events: demo.events.baseUrl,
    authorize: demo.events.authorizeUrl,
    account: demo.account,
    folder: demo.folder,
    configuration: demo.configPath,
  };
}

/** How the person started it, which is how the commands to try start too. */
function nameProgram({ npm_lifecycle_event: script }: CommandContext["terminal"]["env"]): string {
  if (isSingleExecutable()) return process.argv0;
  if (script === undefined) return "trellis";
  return script === "npx" ? "npx trellis" : "npm run -s trellis --";
}

/** Shows every address of the demo, and commands to try. */
function describeDemo(demo: RunningDemo, program: string): string[] {
  const { release, sync, events, account, websiteUrl, folder, configPath } = demo;
  const command = (words: string) => `${program} ${words} --config ${configPath}`;
  return `Trellis demo, with sample data in ${folder}

  Download page     ${websiteUrl}/
  Latest release    ${release.baseUrl}/api/v1/releases/latest
  Signed manifest   ${release.baseUrl}/api/v1/manifest
  Smart download    ${release.smartDownload.url}/
  Sync              ${sync.baseUrl}/v1/instance-info
  Sign in to sync   ${sync.signInUrl}
  Events            ${events.baseUrl}/
  Connect an app    ${events.authorizeUrl}

The account "${account.username}" has the password "${account.password}". The sync service has ${sync.entities} entities, the events service ${events.events} events.

Seven things to try, in a second terminal:

  1. Verify the manifest as an app does
     ${command(`release verify ${release.baseUrl}`)}

  2. Show the update decision for an old Windows client, and why
     ${command("release decide --platform windows --version 1.0.0 --build 100")}

  3. Withdraw the newest release, and see the download page and the API change
     ${command('release withdraw 1.2.0 --reason "Crashes at start" --replaced-by 1.1.0')}

  4. Open the "Sign in to sync" address and sign in; the browser is then redirected to an app that does not run

  5. Show the status of the sync store, and back it up
     ${command("sync status")}
     ${command(`sync backup ${folder}/one.backup`)}

  6. Open the "Events" address, sign in and add an event; then open "Connect an app" to see how an app requests access

  7. Change the sample school calendar in an editor, and import it again
     ${command(`events import ${events.calendarPath} --account ${account.username}`)}

The download links lead nowhere: https://${DEMO_HOST} is an example host.
Ready. Press Ctrl+C to stop.`.split("\n");
}
