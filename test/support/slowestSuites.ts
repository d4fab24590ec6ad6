import { relative } from "node:path";
import { type Hook, Runner, reporters, type Test } from "mocha";

const shown = 10;

/** Mocha's own output, and after it the files whose tests and hooks took longest, so that nobody slows a run down unseen. */
class SlowestSuites extends reporters.Spec {
  /** Milliseconds by file. */
  readonly #spent = new Map<string, number>();

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const count = ({ file, duration = 0 }: Test | Hook): void => {
      if (file !== undefined) {
        this.#spent.set(file, (this.#spent.get(file) ?? 0) + duration);
      }
    };
    runner.on(Runner.constants.EVENT_TEST_END, count);
    runner.on(Runner.constants.EVENT_HOOK_END, count);
  }

  override epilogue(): void {
    super.epilogue();
    const slowest = [...this.#spent].sort(([, one], [, other]) => other - one).slice(0, shown);
    console.log(`  The ${slowest.length} slowest files, in seconds of their tests and hooks:`);
    for (const [file, spent] of slowest) {
      console.log(`  ${(spent / 1000).toFixed(1).padStart(6)}  ${relative(process.cwd(), file)}`);
    }
    console.log();
  }
}

// Mocha takes a reporter as the whole of what `require` gives.
export { SlowestSuites as "module.exports" };
