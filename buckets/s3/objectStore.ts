import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { RunError } from "../../config/values/runError.ts";
import { answered, sender } from "./awsFailures.ts";
import { explained, hasCode } from "./failures.ts";
import { patienceFor, type S3Access, s3Client } from "./server.ts";

/** Objects of one bucket. Every error is a `RunError` with bucket, reason and way out. */
export interface ObjectStore {
  put(key: string, body: string | Uint8Array): Promise<void>;
  /** Undefined if there is no such object. @param bytes its expected size. Default: it is small */
  get(key: string, bytes?: number): Promise<Buffer | undefined>;
  /** Keys that begin with a text, in the order of their bytes. */
  list(prefix: string): Promise<string[]>;
}

/** Milliseconds for a request with all its attempts, or for a whole list, without the time that much data takes. */
const patience = 120_000;

export function objectStore(access: S3Access, bucket: string, signal: AbortSignal): ObjectStore {
  const client = s3Client(access);
  const server = access.endpoint ?? `AWS (${access.region})`;
  const send = sender(signal, patience);
  const reported = (error: unknown): never => {
    if (hasCode(error, "NoSuchBucket")) {
      throw new RunError(`bucket '${bucket}' for archives: ${server} has none of this name; make it, then run again`);
    }
    throw new RunError(explained(error, `bucket '${bucket}' for archives`, server).message);
  };
  const Bucket = bucket;
  return {
    async put(Key, Body) {
      const { requestTimeout, moreInAll } = patienceFor(Buffer.byteLength(Body));
      await send(
        "PutObject",
        (options) => client.putObject({ Bucket, Key, Body }, { ...options, requestTimeout }),
        moreInAll,
      ).catch(reported);
    },
    async get(Key, bytes = 0) {
      return await send(
        "GetObject",
        async (options) => {
          const { Body } = await client.getObject({ Bucket, Key }, options);
          return Buffer.from((await Body?.transformToByteArray()) ?? []);
        },
        patienceFor(bytes).moreInAll,
      ).catch((error: unknown) => (hasCode(error, "NoSuchKey") ? undefined : reported(error)));
    },
    async list(Prefix) {
      return await send("ListObjectsV2", async (options) => {
        const keys: string[] = [];
        for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix }, options)) {
          const found = answered("ListObjectsV2", page.Contents, page.Name ?? page.KeyCount);
          keys.push(...found.flatMap(({ Key }) => Key ?? []));
        }
        return keys;
      }).catch(reported);
    },
  };
}
