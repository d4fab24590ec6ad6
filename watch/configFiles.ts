import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** Time between two reads of the files, in milliseconds. */
const defaultPoll = 500;

/**
 * Reports when the content of any of several files has changed and is the same in two reads: an editor may not have written
 * all of it. It polls: notifications are missing on network file systems, and unreliable for a mounted ConfigMap's links.
 * @see https://kubernetes.io/docs/concepts/configuration/configmap/#mounted-configmaps-are-updated-automatically
 */
export class ConfigFiles {
  readonly #changed: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Digests by file, at the last report and at the last read. */
  #known: ReadonlyMap<string, string> = new Map();
  #seen = this.#known;

  constructor(changed: () => void, poll = defaultPoll) {
    this.#changed = changed;
    this.#timer = setInterval(() => this.#look(), poll).unref();
  }

  /** Watches these files alone. The content of a new one counts as known; others may have been edited meanwhile. */
  watch(files: readonly string[]): void {
    this.#known = new Map(files.map((file) => [file, this.#known.get(file) ?? digestOf(file)]));
    this.#seen = this.#known;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = new Map([...this.#known.keys()].map((file) => [file, digestOf(file)]));
    if (isDeepStrictEqual(now, this.#seen) && !isDeepStrictEqual(now, this.#known)) {
      this.#known = now;
      this.#changed();
    }
    this.#seen = now;
  }
}

function digestOf(file: string): string {
  const content = contentOf(file);
  return content === undefined ? "none" : hash("sha256", content);
}

/** Content of a file, or names in a folder; undefined if unreadable: loading the configuration reports why. */
function contentOf(file: string): Buffer | undefined {
  try {
    return statSync(file).isDirectory() ? Buffer.from(readdirSync(file).join("\n")) : readFileSync(file);
  } catch {
    return undefined;
  }
}
