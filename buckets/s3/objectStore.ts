import type { S3 } from "@aws-sdk/client-s3";
import { RunError } from "../../config/model/runError.ts";
import { explained } from "../failures.ts";
import { failureOf } from "./awsFailures.ts";
import { hasCode } from "./s3.ts";
import { type S3Access, s3Client } from "./server.ts";

/** Objects of one bucket. Every error is a `RunError` with bucket, reason and way out. */
export interface ObjectStore {
  put(key: string, body: string): Promise<void>;
  /** Undefined if there is no such object. */
  get(key: string): Promise<Buffer | undefined>;
  /** Keys that begin with a text, in the order of their bytes. */
  list(prefix: string): Promise<string[]>;
}

/** Milliseconds for a request with all its attempts. */
const patience = 120_000;

/**
 * @param bucket its name on the server
 * @param signal ends all requests
 */
export function objectStore(access: S3Access, bucket: string, signal: AbortSignal): ObjectStore {
  const client = s3Client(access);
  const server = access.endpoint ?? `AWS (${access.region})`;
  const send = async <T>(operation: string, request: (client: S3, options: object) => Promise<T>): Promise<T> => {
    try {
      return await request(client, { abortSignal: AbortSignal.any([signal, AbortSignal.timeout(patience)]) });
    } catch (error) {
      throw failureOf(operation, error, signal);
    }
  };
  const reported = (error: unknown): never => {
    if (hasCode(error, "NoSuchBucket")) {
      throw new RunError(`bucket '${bucket}' for archives: ${server} has none of this name; make it, then run again`);
    }
    throw new RunError(explained(error, `bucket '${bucket}' for archives`, server).message);
  };
  const Bucket = bucket;
  return {
    async put(Key, Body) {
      await send("PutObject", (s3, options) => s3.putObject({ Bucket, Key, Body }, options)).catch(reported);
    },
    async get(Key) {
      return await send("GetObject", async (s3, options) => {
        const { Body } = await s3.getObject({ Bucket, Key }, options);
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      }).catch((error: unknown) => (hasCode(error, "NoSuchKey") ? undefined : reported(error)));
    },
    async list(Prefix) {
      const keys: string[] = [];
      let ContinuationToken: string | undefined;
      do {
        const from = ContinuationToken === undefined ? {} : { ContinuationToken };
        const page = await send("ListObjectsV2", (s3, options) =>
          s3.listObjectsV2({ Bucket, Prefix, ...from }, options),
        ).catch(reported);
        keys.push(...(page.Contents ?? []).flatMap((object) => object.Key ?? []));
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
      return keys;
    },
  };
}
