/** An instance from its opening to its closing, with how many use it. */
/**
 * For whom an instance is open: a signed-in device or the server itself, or strangers, who never take the
 * place of an instance that a device uses.
 */
export type Caller = "device" | "stranger";

export interface Openable {
  endStreams(): void;
  close(): Promise<void>;
}

export class OpenEntry<T extends Openable> {
  readonly opening: Promise<T>;
  opened: T | null = null;
  users = 0;
  /** Whom the instance was opened for, or a device that has used it since. */
  caller: Caller;
  lastUsedAt: number;
  closing: Promise<void> | null = null;
  readonly #onIdle: () => void;
  #endWait: (() => void) | null = null;

  /** `onIdle` is called whenever the last user is gone. */
  constructor(opening: Promise<T>, caller: Caller, at: number, onIdle: () => void) {
    this.opening = opening;
    this.caller = caller;
    this.lastUsedAt = at;
    this.#onIdle = onIdle;
    opening.then(
      (opened) => {
        this.opened = opened;
      },
      () => {},
    );
  }

  /** Counts a user until the result is called, which may be called again. */
  keep(onReleased: () => void = () => {}): () => void {
    this.users++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.users--;
      onReleased();
      if (this.users > 0) return;
      this.#endWait?.();
      this.#onIdle();
    };
  }

  /** Ends the streams, waits for the users and closes. */
  async drain(): Promise<void> {
    const opened = await this.opening.catch(() => null);
    if (opened === null) return;
    opened.endStreams();
    if (this.users > 0) {
      await new Promise<void>((resolve) => {
        this.#endWait = resolve;
      });
    }
    await opened.close();
  }
}
