/** The processor of a visitor's device, as far as the browser says it. */
import type { Architecture } from "./architectures.ts";

/** Chromium names x86_64 on every Linux, so that says nothing. */
export function processorOfAgent(userAgent: string): Architecture | null {
  if (/aarch64|arm64/i.test(userAgent)) return "arm64";
  if (/\barm(?:v\d|hf|el)/i.test(userAgent)) return "arm";
  if (/\bi[3-6]86\b/.test(userAgent) && !userAgent.includes("x86_64")) return "x86";
  return null;
}

/** User-Agent Client Hints, which Chromium has on secure pages. */
export interface ProcessorHints {
  readonly architecture?: string;
  readonly bitness?: string;
}

export function processorOfHints({ architecture, bitness }: ProcessorHints): Architecture | null {
  switch (`${architecture} ${bitness}`) {
    case "arm 64":
      return "arm64";
    case "arm 32":
      return "arm";
    case "x86 64":
      return "x64";
    case "x86 32":
      return "x86";
    default:
      return null;
  }
}
