export interface Stoppable {
  stop(): Promise<void>;
}

export interface StopSignalOptions {
  /**
   * Whether a second signal is ignored, as a worker does: a terminal and systemd signal the whole
   * process group, and the primary passes its signal on as well. The primary ends a worker that
   * must end at once.
   */
  readonly ignoreSecond: boolean;
}

/**
 * Starts, calls `onReady`, and stops gracefully on SIGTERM, SIGINT or the end of the terminal; a second signal exits at once.
 * A signal during the start aborts it: what runs already is stopped gracefully, and `onReady` is not
 * called. A start that fails after the signal counts as stopped.
 */
export async function runUntilSignal<R extends Stoppable>(
  start: (signal: AbortSignal) => Promise<R>,
  onReady: (running: R) => void,
  { ignoreSecond }: StopSignalOptions,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });
  const onSignal = () => {
    if (signal.aborted && ignoreSecond) return;
    if (signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  // Sent when the terminal is closed. Node would end at once, behind `nohup` too.
  process.on("SIGHUP", onSignal);
  let running: R;
  try {
    running = await start(signal);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  try {
    // A terminal that was closed cannot be written to.
    if (!signal.aborted) onReady(running);
    await stopped;
  } finally {
    await running.stop();
  }
}
