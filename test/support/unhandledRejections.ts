/** By promise; mocha tells each twice. */
const rejected = new Map<Promise<unknown>, unknown>();

const collect = (reason: unknown, promise: Promise<unknown>): void => {
  rejected.set(promise, reason);
};
const forgive = (promise: Promise<unknown>): void => {
  rejected.delete(promise);
};

function failWithFirst(): void {
  const [reason] = rejected.values();
  const isAny = rejected.size > 0;
  rejected.clear();
  if (isAny) {
    throw reason instanceof Error ? reason : new Error(`a promise was rejected with ${String(reason)}`);
  }
}

/**
 * Mocha hears of a rejection that nobody awaits, and then lets the test pass. A listener that throws would end the process,
 * so a hook does. `.mocharc.json` requires this file.
 */
export const mochaHooks = {
  // Not at load: a worker drops all listeners after each of its files.
  beforeAll(): void {
    process.on("unhandledRejection", collect).on("rejectionHandled", forgive);
  },
  afterEach: failWithFirst,
  afterAll: [
    failWithFirst,
    (): void => {
      process.off("unhandledRejection", collect).off("rejectionHandled", forgive);
    },
  ],
};
