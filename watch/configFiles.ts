import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";

/** How often files are looked at, in milliseconds. */
const defaultPoll = 500;

/**
 * Tells when the content of any of some files has changed, and stays so for two looks: an editor may be about to write the
 * rest. They are read time and again, since notifications don't come through from network file systems, nor reliably from
 * the links that a mounted ConfigMap is made of.
 * @see https://kubernetes.io/docs/concepts/configuration/configmap/#mounted-configmaps-are-updated-automatically
 */
export class ConfigFiles {
  readonly #changed: () => void;
  readonly #timer: NodeJS.Timeout;
  #files: readonly string[] = [];
  /** What they held when somebody was told last, and at the last look. */
  #known: string;
  #seen: string;

  constructor(changed: () => void, poll = defaultPoll) {
    this.#changed = changed;
    this.#known = this.#digest();
    this.#seen = this.#known;
    this.#timer = setInterval(() => this.#look(), poll).unref();
  }

  /** Watches these files from now on, and no others. What they hold now counts as known, unless they were watched before. */
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

/** Of a folder the names in it. Undefined for what can't be read: whoever loads the configuration says why. */
function contentOf(file: string): Buffer | undefined {
  try {
    return statSync(file).isDirectory() ? Buffer.from(readdirSync(file).join("\n")) : readFileSync(file);
  } catch {
    return undefined;
  }
}
