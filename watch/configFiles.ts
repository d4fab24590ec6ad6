import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";

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
  #files: readonly string[] = [];
  /** Digests at the last report and at the last read. */
  #known: string;
  #seen: string;

  constructor(changed: () => void, poll = defaultPoll) {
    this.#changed = changed;
    this.#known = this.#digest();
    this.#seen = this.#known;
    this.#timer = setInterval(() => this.#look(), poll).unref();
  }

  /** Watches these files and no others. If the list is new, their present content counts as known. */
  watch(files: readonly string[]): void {
    if (files.join("\n") !== this.#files.join("\n")) {
      this.#files = [...files];
      this.#known = this.#digest();
      this.#seen = this.#known;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const digest = this.#digest();
    if (digest === this.#seen && digest !== this.#known) {
      this.#known = digest;
      this.#changed();
    }
    this.#seen = digest;
  }

  #digest(): string {
    const hash = createHash("sha256");
    for (const file of this.#files) {
      const text = contentOf(file);
      hash.update(`${text?.length ?? "none"}\n`).update(text ?? "");
    }
    return hash.digest("hex");
  }
}

/** Content of a file, or names in a folder; undefined if unreadable: loading the configuration reports why. */
function contentOf(file: string): Buffer | undefined {
  try {
    return statSync(file).isDirectory() ? Buffer.from(readdirSync(file).join("\n")) : readFileSync(file);
  } catch {
    return undefined;
  }
}
