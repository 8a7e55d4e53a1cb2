/** A message that goes by itself, with the chance to undo what it tells of. */
import { useEffect } from "preact/hooks";
import { useApp } from "../app-context.ts";

export interface ToastMessage {
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
}

const SHOWN_MS = 8000;

export interface ToastProps {
  readonly message: ToastMessage | null;
  readonly onEnd: () => void;
}

/** The region is always there: a screen reader announces only what changes inside one. */
export function Toast({ message, onEnd }: ToastProps) {
  const { texts } = useApp();
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(onEnd, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, onEnd]);
  const undo = message?.undo;
  return (
    <div class="toast" role="status" data-shown={message !== null}>
      {message !== null && <span>{message.text}</span>}
      {undo !== undefined && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            onEnd();
            void undo();
          }}
        >
          {texts.undo}
        </button>
      )}
    </div>
  );
}
