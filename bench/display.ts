import type { Cost } from "./measure/measured.ts";
import type { Operation, Tool } from "./results.ts";

/** Tells on stderr what is being measured, and what came of it; on a terminal, also for how long already. */
export class Progress {
  readonly #live = process.stderr.isTTY;
  #title = "";
  #timer: NodeJS.Timeout | undefined;

  say(text: string): void {
    this.#stop();
    process.stderr.write(`${text}\n`);
  }

  begins(tool: Tool, operation: Operation): void {
    this.#title = `  ${operation}, ${tool}`;
    const begun = Date.now();
    if (this.#live) {
      this.#timer = setInterval(() => {
        process.stderr.write(`\r${this.#title} … ${Math.round((Date.now() - begun) / 1000)} s`);
      }, 1000);
    }
  }

  ended({ seconds }: Cost): void {
    this.say(`${this.#live ? "\r" : ""}${this.#title}: ${seconds.toFixed(1)} s      `.trimEnd());
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
