import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { clusterOf } from "../../../../sandbox/sandbox.ts";
import type { TestCluster } from "../cluster.ts";

/** What etcd has of a cluster's objects. */
export interface Entries {
  /** Of all that etcd has, which grows with each change. */
  readonly revision: string;
  /** The revision of each object's last change by its key, such as `/registry/configmaps/bob/notes`. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Keys of what the control plane makes, writes and deletes by itself at any time, as in inventory.ts, and of its own books. */
const restless =
  /^\/registry\/(events|leases|masterleases|peerserverleases|services\/endpoints|endpointslices|pods|replicasets|minions|csinodes|flowschemas|prioritylevel|ipaddresses|ranges)/;

interface Range {
  readonly header: { readonly revision: string };
  readonly kvs: readonly { readonly key: string; readonly mod_revision: string }[];
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** @see https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/ */
export async function entriesOf(cluster: Pick<TestCluster, "sandbox" | "tools">): Promise<Entries> {
  const range = { key: base64("/registry/"), range_end: base64("/registry0"), keys_only: true };
  const answer = await fetch(`${await addressOf(cluster)}/v3/kv/range`, {
    method: "POST",
    body: JSON.stringify(range),
  });
  assert.equal(answer.status, 200);
  const { header, kvs } = (await answer.json()) as Range;
  const found = kvs.map(({ key, mod_revision }) => [Buffer.from(key, "base64").toString(), mod_revision] as const);
  return { revision: header.revision, keys: new Map(found.filter(([key]) => !restless.test(key))) };
}

/** kwokctl has etcd listen on 127.0.0.1 without a password. */
async function addressOf({ sandbox, tools }: Pick<TestCluster, "sandbox" | "tools">): Promise<string> {
  const { folder, name } = clusterOf(sandbox, tools);
  const text = await readFile(join(folder, "clusters", name, "kwok.yaml"), "utf8");
  const [, port] = /^ *etcdPort: (\d+)$/m.exec(text) ?? assert.fail("kwokctl's file has no port of etcd");
  return `http://127.0.0.1:${port}`;
}
