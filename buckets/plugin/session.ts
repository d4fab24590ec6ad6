import { explained } from "../failures.ts";
import type { Log } from "../protocol/engine.ts";
import type { S3 } from "../s3/s3.ts";
import type { UserAdmin } from "../users/userAdmin.ts";
import { type ServerConfiguration, serverName } from "./configuration.ts";

/** What leads to a server, with all that is asked of it ending when the signal says so. */
export interface StorageServer {
  s3(signal: AbortSignal): S3;
  /** Undefined where the server has no API for users, or none that is known here. */
  users(signal: AbortSignal): UserAdmin | undefined;
}

/** Makes a client, and asks nothing yet. */
export type OpenServer = (configuration: ServerConfiguration) => StorageServer;

/** One configured provider. */
export interface Session {
  readonly configuration: ServerConfiguration;
  readonly server: StorageServer;
  readonly log: Log;
  /** Ends what is under way when Pulumi cancels. */
  readonly signal: AbortSignal;
}

/** One operation on one resource. */
export interface Operation {
  readonly session: Session;
  readonly urn: string;
  /** How messages name the resource. */
  readonly who: string;
  /** Seconds that somebody gave it with `customTimeouts`; 0 for none. */
  readonly timeout?: number;
}

/** Minutes, where nobody gave others: less than the job of an `up` may take. A bucket of a million objects takes some to empty. */
const patience = 45;

/** How long an operation may last. */
export function secondsOf({ timeout = 0 }: Operation): number {
  return timeout || patience * 60;
}

/** What an operation asks. */
export interface Reached {
  readonly s3: S3;
  /** Undefined where the server has no API for users. */
  readonly users: UserAdmin | undefined;
}

/** Does something with a server for as long as the operation may last. What goes wrong is said in words for a person. */
export async function withServer<T>(operation: Operation, act: (server: Reached) => Promise<T>): Promise<T> {
  const { session, who } = operation;
  const { configuration, server } = session;
  const limit = AbortSignal.timeout(secondsOf(operation) * 1000);
  const signal = AbortSignal.any([session.signal, limit]);
  try {
    return await act({ s3: server.s3(signal), users: server.users(signal) });
  } catch (error) {
    throw explained(error, who, serverName(configuration));
  }
}
