/** A running app on a device, such as a tab of a browser. It can be killed at any step of its storage. */
export interface AppProcess {
  /** Such as `phone#3`. */
  readonly name: string;
  isAlive(): boolean;
  /** The process dies at its nth step from now on; the next one is 1. */
  dieAt(step: number): void;
  /** One step of the storage. Throws when the process dies at it, or is dead. */
  step(): void;
  /** Nothing that the process has begun goes on. */
  kill(): void;
  /** Like `kill`, but the process has ended by itself. */
  end(): void;
  /** At once when it has ended. */
  onEnd(callback: () => void): void;
  /** Resolves or rejects only while the process is alive: after that there is no code to go on. */
  whileAlive<T>(promise: Promise<T>): Promise<T>;
}

export function createAppProcess(name: string, onKill: () => void): AppProcess {
  const callbacks: (() => void)[] = [];
  let isAlive = true;
  let stepsLeft = Infinity;

  function end(): void {
    if (!isAlive) return;
    isAlive = false;
    for (const callback of callbacks) callback();
  }

  function kill(): void {
    if (isAlive) onKill();
    end();
  }

  return {
    name,
    isAlive: () => isAlive,
    dieAt(step) {
      stepsLeft = step;
    },
    step() {
      if (isAlive && --stepsLeft <= 0) kill();
      if (!isAlive) throw new Error("The process was killed");
    },
    kill,
    end,
    onEnd(callback) {
      if (isAlive) callbacks.push(callback);
      else callback();
    },
    whileAlive: (promise) =>
      new Promise((resolve, reject) => {
        promise.then(
          (value) => void (isAlive && resolve(value)),
          (error: unknown) => void (isAlive && reject(error)),
        );
      }),
  };
}
