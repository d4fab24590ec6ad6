import { explained } from "../failures.ts";
import type { Log } from "../protocol/engine.ts";
import type { S3 } from "../s3/s3.ts";
import type { UserAdmin } from "../users/userAdmin.ts";
import { type ServerConfiguration, serverName } from "./configuration.ts";

/** Clients of a server. The signal ends all their requests. */
export interface StorageServer {
  s3(signal: AbortSignal): S3;
  /** Undefined if the server has no API for users that kubecamp supports. */
  users(signal: AbortSignal): UserAdmin | undefined;
}

/** Makes the clients without sending a request. */
export type OpenServer = (configuration: ServerConfiguration) => StorageServer;

/** A configured provider. */
export interface Session {
  readonly configuration: ServerConfiguration;
  readonly server: StorageServer;
  readonly log: Log;
  /** Aborted when Pulumi cancels. */
  readonly signal: AbortSignal;
}

/** An operation on a resource. */
export interface Operation {
  readonly session: Session;
  readonly urn: string;
  /** The resource's name in messages. */
  readonly who: string;
  /** Seconds from `customTimeouts`; 0 for none. */
  readonly timeout?: number;
}

/** Default limit in minutes: below the time limit of an `up` job, and enough to empty a bucket of a million objects. */
const patience = 45;

/** Time limit of an operation. */
export function secondsOf({ timeout = 0 }: Operation): number {
  return timeout || patience * 60;
}

/** Clients of the server for one operation. */
interface Reached {
  readonly s3: S3;
  /** Undefined if the server has no API for users. */
  readonly users: UserAdmin | undefined;
}

/** Runs requests to a server within the operation's time limit. @throws the failure in words for the operator */
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
