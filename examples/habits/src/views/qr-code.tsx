/** A QR code as one path. It is dark on white in every theme, as cameras expect. */
import encodeQR from "qr";

/** In modules: the quiet zone of ISO/IEC 18004. */
const BORDER = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
  const path = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path.join("")} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
