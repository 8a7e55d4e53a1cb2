/** SIGTERM and SIGINT stop gracefully; a second signal ends at once. */

export interface StopSignalOptions {
  /**
   * For a worker: a terminal and systemd signal the whole group, and then the primary passes the
   * signal on. A worker that must end at once is ended by its primary.
   */
  readonly ignoreSecond: boolean;
}

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
