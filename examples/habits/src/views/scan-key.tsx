/** Reads a QR code with the camera, where the browser can do so itself. */
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app-context.ts";

interface BarcodeDetector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

declare const BarcodeDetector: new (options: { formats: readonly string[] }) => BarcodeDetector;

export const canScan = () => "BarcodeDetector" in globalThis && "mediaDevices" in navigator;

/** Calls back with the text of the first code, or with null when the camera cannot be used. */
export function ScanKey({ onEnd }: { onEnd: (text: string | null) => void }) {
  const { texts } = useApp();
  const video = useRef<HTMLVideoElement>(null);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const stopped = new AbortController();
    const tell = (text: string | null) => {
      if (!stopped.signal.aborted) end.current(text);
    };
    if (video.current !== null) {
      scan(video.current, stopped.signal).then(tell, () => tell(null));
    }
    return () => stopped.abort();
  }, []);
  return (
    <div class="stack">
      <p class="hint">{texts.encryption.scanning}</p>
      <video ref={video} muted playsInline aria-hidden="true" />
    </div>
  );
}

async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string> {
  const constraints = { video: { facingMode: "environment" } };
  const stream = await navigator.mediaDevices.getUserMedia(constraints);
  try {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    video.srcObject = stream;
    await video.play();
    for (;;) {
      signal.throwIfAborted();
      const [code] = await detector.detect(video);
      if (code !== undefined) return code.rawValue;
      await new Promise(requestAnimationFrame);
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
