import assert from "node:assert/strict";
import { S3Client } from "@aws-sdk/client-s3";
import { before } from "mocha";
import type { S3Access } from "../../../sandbox/s3/s3Access.ts";
import { ensureS3, objectsFolder, type S3Spec, stopS3 } from "../../../sandbox/s3/s3Server.ts";
import { s3Folder } from "../../../sandbox/sandbox.ts";
import { clusterTimeout, testCluster } from "./cluster.ts";
import { testSandboxNamed } from "./testSandboxes.ts";

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A real S3 server on 127.0.0.1, versitygw, with an API for users at the same address. The keys are its administrator's. */
export class TestS3 {
  readonly #name: string;
  #spec: S3Spec | undefined;
  #access: S3Access | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get endpoint(): string {
    return this.#known.endpoint;
  }

  get accessKeyId(): string {
    return this.#known.accessKeyId;
  }

  get secretAccessKey(): string {
    return this.#known.secretAccessKey;
  }

  /** The server's objects: a folder for each bucket, in which every file is an object. */
  get objects(): string {
    return objectsFolder(this.#spec ?? assert.fail("the suite's before hook has not run"));
  }

  /** A client with somebody's keys, by default the administrator's. It does not try again. */
  client({ accessKeyId, secretAccessKey }: Keys = this): S3Client {
    // An object of its own, because the client writes into what it is given.
    const credentials = { accessKeyId, secretAccessKey };
    const { endpoint } = this;
    return new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials, maxAttempts: 1 });
  }

  /** Again with all that was in it, at the same address, once it was stopped. */
  async start(): Promise<void> {
    const { tools } = await testCluster();
    this.#spec = { folder: s3Folder(testSandboxNamed(this.#name)), versitygw: tools.versitygw };
    this.#access = await ensureS3(this.#spec, new AbortController().signal);
  }

  /** At once, as a server whose machine loses its power. */
  async stop(): Promise<void> {
    if (this.#spec !== undefined) {
      await stopS3(this.#spec);
    }
  }

  get #known(): S3Access {
    return this.#access ?? assert.fail("the suite's before hook has not run");
  }
}

let servers = 0;

/**
 * An empty S3 server for the suite that calls this, started in a second. It goes at the end of the run.
 *
 *     const s3 = useS3();
 *     // kubecamp:storage: { endpoint: s3.endpoint, users: "versitygw", accessKeyId: s3.accessKeyId, … }
 *     await s3.client(keysOfAlice).send(new ListBucketsCommand({}));
 */
export function useS3(): TestS3 {
  const server = new TestS3(`s3-${++servers}`);
  before(async function () {
    // On a fresh machine, the first to ask waits until the tools are built.
    this.timeout(clusterTimeout);
    await server.start();
  });
  return server;
}
