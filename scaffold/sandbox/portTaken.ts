import { Problem } from "../../commands/common/problem.ts";

/** Another program listens on a port that a server of the sandbox needs. */
export class PortTaken extends Problem {}

/**
 * Makes a server on ports that are free. Another program may take a chosen one in the moments before the server does: then
 * it tries again.
 * @param create chooses the ports, and leaves nothing where it throws PortTaken
 */
export async function onFreePorts<T>(create: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof PortTaken) || attempts === 1) throw error;
    return await onFreePorts(create, attempts - 1);
  }
}
