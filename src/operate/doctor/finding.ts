export interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly subject: string;
  readonly message: string;
  /** What the operator should do; absent when the check passed. */
  readonly remedy?: string;
}

export function ok(subject: string, message: string): Finding {
  return { level: "ok", subject, message };
}

export function warning(subject: string, message: string, remedy: string): Finding {
  return { level: "warning", subject, message, remedy };
}

export function errorFinding(subject: string, message: string, remedy: string): Finding {
  return { level: "error", subject, message, remedy };
}
