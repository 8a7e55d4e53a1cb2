/** An error of one store among several, with the name of its instance. */
export class InstanceError extends Error {
  constructor(instance: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`The instance "${instance}": ${message}`, { cause });
    this.name = "InstanceError";
  }
}
