export interface StopSignalOptions {
  /**
   * For a worker: a terminal and systemd signal the whole process group, and the primary passes its
   * signal on as well. The primary ends a worker that must end at once.
   */
  readonly ignoreSecond: boolean;
}

/** Stops gracefully on SIGTERM or SIGINT; a second signal exits at once. */
export function onStopSignal(
  stop: () => Promise<void>,
  { ignoreSecond }: StopSignalOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const onSignal = () => {
      if (isStopping && ignoreSecond) return;
      if (isStopping) process.exit(1);
      isStopping = true;
      stop().then(resolve, reject);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}
