import { Problem } from "../commands/common/problem.ts";

/** Another program listens on a port that a server of the sandbox needs. */
export class PortTaken extends Problem {}

const attempts = 3;

/**
 * Makes a server on ports that are free. Another program may take a chosen one in the moments before the server does: then
 * it tries again.
 * @param create chooses the ports, and begins by removing what it has left where it threw PortTaken
 */
export async function onFreePorts<T>(create: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; ; left--) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof PortTaken) || left === 0) {
        throw error;
      }
    }
  }
}
