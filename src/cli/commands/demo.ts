import { createLineWriter } from "../../http/request-log.ts";
import { startDemo, type RunningDemo } from "../../../examples/demo/start-demo.ts";
import { runUntilSignal } from "../../server/stop-signals.ts";
import { defineCommand, flag, type CommandContext, type Line } from "../command.ts";
import { describeDemo } from "../describe-demo.ts";
import { explainStartError } from "../explain-start-error.ts";
import { onKey } from "../on-key.ts";

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
        if (demo.movedPorts.length > 0) context.print(describeMove(demo.movedPorts), "");
        context.json(toJson(demo));
        if (demo.pageUrl === null) return context.print(...describeDemo(demo));
        context.print(...describePage(demo.pageUrl, verbose, context.isInteractive));
        if (verbose) context.print("", ...describeDemo(demo));
        else if (context.isInteractive) ignoreKeys = offerDetails(context, demo);
      },
      { ignoreSecond: false },
    );
    ignoreKeys();
    context.print("", "Stopped and removed the demo's folder");
  },
});

const DETAILS_KEY = "v";

function describeMove(moved: RunningDemo["movedPorts"]): string {
  const [usual, used] = [moved.map((port) => port.usual), moved.map((port) => port.used)];
  return moved.length === 1
    ? `Port ${usual.join()} is taken, so the demo uses ${used.join()}`
    : `Ports ${usual.join(", ")} are taken, so the demo uses ${used.join(", ")}`;
}

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
) {
  let isShown = false;
  return onKey(terminal.stdin, DETAILS_KEY, () => {
    if (isShown) return;
    isShown = true;
    print("", ...describeDemo(demo));
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
