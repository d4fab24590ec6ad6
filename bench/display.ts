import type { Cost } from "./measure/measured.ts";

/** Shows the progress on stderr: each measurement and its result, and on a terminal also the seconds so far. */
export class Progress {
  #timer: NodeJS.Timeout | undefined;
  /** Whether the last line is unfinished. */
  #open = false;

  readonly begins = (title: string): void => {
    const begun = Date.now();
    process.stderr.write(`  ${title}: `);
    this.#open = true;
    if (process.stderr.isTTY) {
      this.#timer = setInterval(() => {
        process.stderr.write(`\r  ${title}: ${Math.round((Date.now() - begun) / 1000)} s … `);
      }, 1000);
    }
  };

  readonly ended = ({ seconds }: Cost): void => {
    this.#stop();
    process.stderr.write(`${seconds.toFixed(1)} s\n`);
    this.#open = false;
  };

  say(text: string): void {
    this.#stop();
    process.stderr.write(`${this.#open ? "\n" : ""}${text}\n`);
    this.#open = false;
  }

  #stop(): void {
    clearInterval(this.#timer);
  }
}
