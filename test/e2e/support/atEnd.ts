import { removeOwnSandboxes } from "./testSandboxes.ts";

/**
 * Resources that all tests of a process share, such as its cluster, are removed after the last test. A root-level `after` is
 * too early: with --parallel, mocha runs it after the first of a worker's many files.
 */
const cleanUps: (() => unknown)[] = [];

/** For handles that would keep mocha from ending. mocha ends workers, and so the processes whose input they hold. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** Mocha calls it once, in its main process, after all files and workers: .mocharc.json requires this file. */
export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(cleanUps.map((cleanUp) => cleanUp()));
  await removeOwnSandboxes();
}
