import assert from "node:assert/strict";
import { openServer } from "../../../buckets/s3/server.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { useS3 } from "../support/s3.ts";
import type { Proof } from "./proof.ts";

export const ada: Entry = { member: "ada", type: "user", buckets: [{ name: "data" }] };

/** A stack with buckets on an S3 server, for the suite that calls this. */
export function useKeys(name: string) {
  const server = useS3();
  const stack = useStack(name);
  const configure = async (storage: object = {}, member: Entry = ada) =>
    await stack.configure([member], {
      storage: {
        ...{ endpoint: server.endpoint, users: "versitygw", accessKeyId: server.accessKeyId },
        secretAccessKey: await stack.secret(server.secretAccessKey),
        ...storage,
      },
    });
  const verify = async (env: Record<string, string> = stack.sandbox.env) => {
    const flags = ["--only", "buckets", "-o", "json"];
    const { exitCode, stdout, stderr } = await kubecamp(["verify", "--stack", stack.name, ...flags], {
      ...{ cwd: stack.folder, env },
    });
    assert.notEqual(stdout, "", stderr);
    const { proofs } = JSON.parse(stdout) as { readonly proofs: readonly Proof[] };
    return { exitCode, proofs, stderr };
  };
  const configuration = () => ({
    ...{ endpoint: server.endpoint, usersEndpoint: server.endpoint, users: "versitygw" as const },
    ...{ accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey },
    ...{ region: "us-east-1", forcePathStyle: true, stack: "test" },
  });
  const open = () => openServer(configuration());
  const onServer = async () => {
    const signal = AbortSignal.timeout(30_000);
    return {
      buckets: await open().s3(signal).listBuckets(),
      keys: await open().users(signal)?.keysBeginning("KC"),
    };
  };
  before(async () => {
    await stack.configure([]);
    await stack.upFine();
    await configure();
  });
  return { server, stack, configure, verify, configuration, open, onServer };
}
