/** Init scripts that take from a page what browsers deny it, each as such a browser does. */

export const DENIALS = {
  "storage-missing": () => {
    Object.defineProperty(window, "indexedDB", { get: () => undefined });
  },
  /** A browser that blocks site data. */
  "storage-denied": () => {
    const deny = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    for (const name of ["indexedDB", "localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get: deny });
    }
  },
  /** A private window of an older Firefox. */
  "storage-denied-later": () => {
    IDBFactory.prototype.open = () => {
      const request = new EventTarget();
      const error = new DOMException("A mutation operation was attempted", "InvalidStateError");
      Object.defineProperty(request, "error", { value: error });
      setTimeout(() => request.dispatchEvent(new Event("error")));
      return request as IDBOpenDBRequest;
    };
  },
  "storage-failed": () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("The disk is full", "QuotaExceededError");
    };
  },
  /** A page of http. */
  "webcrypto-missing": () => {
    Reflect.deleteProperty(Crypto.prototype, "subtle");
  },
} as const;

/** Locks, channels and the service worker: an app works without them. */
export function denyExtras(): void {
  Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined });
  Object.defineProperty(window, "BroadcastChannel", { value: undefined });
  Object.defineProperty(Navigator.prototype, "serviceWorker", {
    get() {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
  });
}
