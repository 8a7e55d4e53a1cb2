/** Calls `listener` whenever the key is pressed. Returns the function that ends the listening. */
export function onKey(stdin: NodeJS.ReadStream, key: string, listener: () => void): () => void {
  const onData = (data: Buffer) => {
    const typed = data.toString();
    // In raw mode the terminal sends no signal for Ctrl+C.
    if (typed.includes(CONTROL_C)) process.kill(process.pid, "SIGINT");
    else if (typed.toLowerCase() === key) listener();
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  return () => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

const CONTROL_C = "\x03";
