export interface Finding {
  readonly level: "ok" | "warning" | "fault";
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

export function fault(subject: string, message: string, remedy: string): Finding {
  return { level: "fault", subject, message, remedy };
}
