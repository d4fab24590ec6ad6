import { text } from "node:stream/consumers";
import { S3 as AwsClient, type S3Client } from "@aws-sdk/client-s3";
import { proxyEnvFor } from "../../cluster/api/kubeconfig/proxy.ts";
import { proxiedRequest } from "../../cluster/api/proxiedRequest.ts";
import { failureOf } from "./awsFailures.ts";
import { AwsS3, type S3 } from "./awsS3.ts";
import { type AdminRequest, type UserAdmin, versitygwUsers } from "./versitygw.ts";

/** Milliseconds to connect, and for one attempt until its answer. Passing failures are retried three times. */
const patience = { connectionTimeout: 5000, requestTimeout: 30_000, throwOnRequestTimeout: true };
const maxAttempts = 4;

/** Bytes that a slow line takes in a millisecond: 2 Mbit/s. */
const slowest = 256;
/** Most bytes that one PutObject takes; a damaged manifest may claim more. */
const largest = 5 * 1024 ** 3;

/** Milliseconds for an object's data: of one attempt until its answer, and more for all attempts together. */
export function patienceFor(bytes: number): { readonly requestTimeout: number; readonly moreInAll: number } {
  const once = Math.ceil(Math.min(bytes, largest) / slowest);
  return { requestTimeout: patience.requestTimeout + once, moreInAll: maxAttempts * once };
}

export function openServer(configuration: S3Configuration): StorageServer {
  const { region, users, usersEndpoint } = configuration;
  const client = s3Client(configuration);
  return {
    s3: (signal) => new AwsS3(client, region, signal),
    users: (signal) =>
      users === undefined || usersEndpoint === undefined
        ? undefined
        : versitygwUsers(signedPatch(client, usersEndpoint, signal)),
  };
}

export type S3Access = Pick<
  S3Configuration,
  "region" | "endpoint" | "forcePathStyle" | "accessKeyId" | "secretAccessKey"
>;

export function s3Client({ region, endpoint, forcePathStyle, accessKeyId, secretAccessKey }: S3Access): AwsClient {
  const agent = { proxyEnv: proxyEnvFor(new URL(endpoint ?? `https://s3.${region}.amazonaws.com`), process.env) };
  return new AwsClient({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Other servers than AWS often refuse its newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts,
    requestHandler: { ...patience, httpAgent: agent, httpsAgent: agent },
  });
}

function signedPatch(client: S3Client, endpoint: string, signal: AbortSignal): AdminRequest {
  return async (operation, path, body) => {
    try {
      const url = new URL(path, endpoint);
      const signer = await client.config.signer();
      const { headers } = await signer.sign({
        method: "PATCH",
        protocol: url.protocol,
        hostname: url.hostname,
        ...(url.port === "" ? {} : { port: Number(url.port) }),
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: { host: url.host },
        body,
      });
      const response = await proxiedRequest(url, {
        method: "PATCH",
        headers,
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(patience.requestTimeout)]),
      });
      return { status: response.statusCode ?? 0, body: await text(response) };
    } catch (error) {
      throw failureOf(operation, error, signal);
    }
  };
}

export interface S3Configuration {
  /** The server's address, such as `https://s3.example.org`. Default: AWS. */
  readonly endpoint?: string;
  /** Default: us-east-1. */
  readonly region: string;
  /** Whether a bucket's name is in the path rather than in the host name. Default: true if there is an endpoint. */
  readonly forcePathStyle: boolean;
  /** The administrator's, who may create and delete buckets, set their policies and tags, and create users. */
  readonly accessKeyId: string;
  /** Encrypted in the state. Changing it changes no bucket. */
  readonly secretAccessKey: string;
  /**
   * Name shared by all shards of one list and by no other stack on the server. The buckets' tags and the users' access keys
   * are derived from it, so that it must stay the same. Letters, digits, spaces and `+-=._:/@`.
   */
  readonly stack: string;
  /** The server's kind, if kubecamp can create users on it. Default: no users can be created. */
  readonly users?: "versitygw";
  /** Address of the API for users. Default: the endpoint. */
  readonly usersEndpoint?: string;
}

/** Clients of a server. The signal ends all their requests. */
export interface StorageServer {
  s3(signal: AbortSignal): S3;
  /** Undefined if the server has no API for users that kubecamp supports. */
  users(signal: AbortSignal): UserAdmin | undefined;
}
