import { readCluster } from "../../../cluster/read/read.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { type Answer, useApiServer } from "./fakeApiServer.ts";

/** A cluster without members that a suite reads for one stack after the other, and what it says. */
export function useReading() {
  const server = useApiServer();
  const read = (stack: Settings) => readCluster([], stack, { pause: async () => undefined });
  return {
    read,
    /** However often it is asked, the last lists of a run that has failed among them. */
    always: (kind: string, answer: Answer) => server.answers(kind, ...Array.from({ length: 9 }, () => answer)),
    /** Kinds that a stack's run asks for, sorted. */
    asked: async (stack: Settings, kinds: readonly string[]) => {
      server.asked.length = 0;
      await read(stack);
      return server.asked.filter((kind) => kinds.includes(kind)).sort();
    },
  };
}
