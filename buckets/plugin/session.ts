import type { ServerClients } from "../bucket/settings.ts";
import type { Log } from "../protocol/engine.ts";
import type { Props } from "../protocol/values.ts";
import { explained } from "../s3/failures.ts";
import type { S3Configuration, StorageServer } from "../s3/server.ts";
import { serverName } from "./configuration.ts";

export interface Session {
  readonly configuration: S3Configuration;
  readonly server: StorageServer;
  readonly log: Log;
  /** Aborted when Pulumi cancels. */
  readonly signal: AbortSignal;
}

export interface Operation {
  readonly session: Session;
  readonly urn: string;
  readonly who: string;
}

export interface Before {
  readonly id: string;
  readonly inputs: Props;
  readonly state: Props;
}

export interface Written {
  readonly id: string;
  readonly properties: Props;
}

export interface FoundResource extends Written {
  readonly inputs: Props;
}

/** Minutes for an operation: below the time limit of an `up` job, and enough to empty a bucket of a million objects. */
const patience = 45;

/** Runs requests to a server within the operation's time limit. @throws the failure in words for the operator */
export async function withServer<T>(operation: Operation, act: (server: ServerClients) => Promise<T>): Promise<T> {
  const { configuration, server, signal: stopped } = operation.session;
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(patience * 60_000)]);
  try {
    return await act({ s3: server.s3(signal), users: server.users(signal) });
  } catch (error) {
    throw explained(error, operation.who, serverName(configuration));
  }
}
