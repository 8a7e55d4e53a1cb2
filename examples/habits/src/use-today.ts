/** The day on this device; changes at midnight, and when a phone wakes up on another day. */
import { useEffect, useState } from "preact/hooks";
import { toLocalDate } from "trellis/client";

/** A device that slept, or whose clock was set, is noticed within this time. */
const MAX_WAIT_MS = 60_000;

export function useToday(): string {
  const [today, setToday] = useState(toLocalDate(Date.now()));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      clearTimeout(timer);
      setToday(toLocalDate(Date.now()));
      timer = setTimeout(update, Math.min(untilMidnight(new Date()), MAX_WAIT_MS));
    };
    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, []);
  return today;
}

function untilMidnight(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();
}
