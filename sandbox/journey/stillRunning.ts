/** Milliseconds between lines. */
const interval = 10_000;

/** Prints on stderr that work goes on, where no terminal shows it: a line every ten seconds until it ends. */
export async function stillRunning<T>(title: string, work: Promise<T>): Promise<T> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += interval / 1000;
    if (!process.stdout.isTTY) {
      console.error(`${title}: not done after ${seconds} s`);
    }
  }, interval);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
