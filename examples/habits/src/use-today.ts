/** The day on this device; changes at midnight, and when a phone wakes up on another day. */
import { useEffect, useState } from "preact/hooks";
import { toLocalDate } from "trellis/client";

const MINUTE_MS = 60_000;

export function useToday(): string {
  const [today, setToday] = useState(toLocalDate(Date.now()));
  useEffect(() => {
    const update = () => setToday(toLocalDate(Date.now()));
    const timer = setInterval(update, MINUTE_MS);
    document.addEventListener("visibilitychange", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, []);
  return today;
}
