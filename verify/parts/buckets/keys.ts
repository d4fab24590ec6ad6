import type { Session } from "../../../buckets/plugin/session.ts";
import { failureOf, sender } from "../../../buckets/s3/awsFailures.ts";
import { S3Failure } from "../../../buckets/s3/failures.ts";
import { openServer, type S3Access, s3Client } from "../../../buckets/s3/server.ts";
import { proxiedRequest } from "../../../cluster/api/proxiedRequest.ts";
import { broken, held, type Outcome, type Promised, type Tried, tried, unproven } from "../../outcome.ts";
import type { BucketOwner } from "./owners.ts";

const byOwn = "the member's keys";
const byOther = "another member's keys";
const promiseOf = (promise: string): Promised => ({
  promise,
  page: "docs/security/buckets.md#when-keys-open-too-much",
});

export const bucketPromises = {
  own: promiseOf("A member's keys read and write the member's bucket."),
  keyless: promiseOf("Nobody reads a member's bucket without keys."),
  others: promiseOf("A member's keys open no bucket of another member."),
  rights: promiseOf("A member's keys change nobody's rights to a bucket."),
  server: promiseOf("A member's keys show no other buckets, and manage no users of the server."),
  suspended: promiseOf("A suspended member's keys open nothing."),
};

const { own: _, ...rest } = bucketPromises;

export const noneTried = (
  why: string,
  promises: Readonly<Record<string, Promised>> = bucketPromises,
): readonly Tried[] => Object.values(promises).map((promised) => ({ ...promised, by: byOwn, outcome: unproven(why) }));

/** Milliseconds for a request with all its attempts. */
const patience = 30_000;
const Key = "kubecamp-verify";
const content = "Only the member's own keys read this.";

/** Tries what two owners' keys open. The first one is suspended in the end. */
export async function tryKeys(session: Session, owners: readonly BucketOwner[]): Promise<readonly Tried[]> {
  const [one, other] = owners.map((owner) => holderOf(session, owner));
  if (one === undefined || other === undefined) {
    return [];
  }
  const own = await inTurn([one, other], tryOwn);
  if (own.some(({ outcome }) => outcome.is !== "held")) {
    return [...own, ...noneTried("the keys don't open the own bucket, so that no refusal proves anything", rest)];
  }
  const pairs = [[one, other] as const, [other, one] as const];
  return [
    ...own,
    await refused(bucketPromises.keyless, "nobody's keys", "read an object", () => readKeyless(session, one.owner)),
    ...(await inTurn(pairs, ([holder, { owner }]) => tryOthers(holder, owner.bucketName))),
    ...(await inTurn([one, other], tryRights)),
    ...(await inTurn(pairs, ([holder, { owner }]) => tryServer(session, holder, owner))),
    await trySuspended(one),
  ];
}

type Holder = ReturnType<typeof holderOf>;

function holderOf({ configuration, signal }: Session, owner: BucketOwner) {
  const client = s3Client({ ...configuration, ...owner.keys });
  const send = sender(signal, patience);
  const to = (Bucket: string) => ({
    list: () => send("ListObjectsV2", (options) => client.listObjectsV2({ Bucket }, options)),
    get: () =>
      send("GetObject", async (options) => {
        const { Body } = await client.getObject({ Bucket, Key }, options);
        return await Body?.transformToString();
      }),
    put: () => send("PutObject", (options) => client.putObject({ Bucket, Key, Body: content }, options)),
    remove: () => send("DeleteObject", (options) => client.deleteObject({ Bucket, Key }, options)),
    open: () =>
      send("PutBucketPolicy", (options) => client.putBucketPolicy({ Bucket, Policy: forAll(Bucket) }, options)),
    publish: () => send("PutBucketAcl", (options) => client.putBucketAcl({ Bucket, ACL: "public-read" }, options)),
    close: () => send("DeleteBucketPolicy", (options) => client.deleteBucketPolicy({ Bucket }, options)),
  });
  const buckets = async () => {
    const { Buckets = [] } = await send("ListBuckets", (options) => client.listBuckets({}, options));
    return Buckets.flatMap(({ Name }) => Name ?? []);
  };
  return { owner, to, buckets };
}

const forAll = (bucket: string): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${bucket}/*` }],
  });

async function tryOwn({ owner, to }: Holder): Promise<readonly Tried[]> {
  const { put, get, list } = to(owner.bucketName);
  const does = (what: string, act: () => Promise<unknown>) =>
    tried(bucketPromises.own, byOwn, async () => await act().then(() => held, answerTo(what)));
  return [
    await does("write an object", put),
    await does("list the bucket", list),
    await tried(bucketPromises.own, byOwn, async () => {
      const read = await get();
      return read === content ? held : broken("read an object", `the server gave another one: ${read?.slice(0, 100)}`);
    }),
  ];
}

/** A server that refuses what it should do. */
const answerTo =
  (what: string) =>
  (error: unknown): Outcome => {
    if (error instanceof S3Failure && error.status !== undefined) {
      return broken(what, `${error.status} ${error.message || error.code}`);
    }
    throw error;
  };

async function tryOthers({ to }: Holder, bucketName: string): Promise<readonly Tried[]> {
  const { list, get, put, remove } = to(bucketName);
  const isRefused = (what: string, act: () => Promise<unknown>) => refused(bucketPromises.others, byOther, what, act);
  return [
    await isRefused("list the bucket", list),
    await isRefused("read an object", get),
    await isRefused("write an object", put),
    await isRefused("delete an object", remove),
  ];
}

async function tryRights({ owner, to }: Holder): Promise<readonly Tried[]> {
  const { open, publish, close } = to(owner.bucketName);
  const isRefused = (what: string, act: () => Promise<unknown>) => refused(bucketPromises.rights, byOwn, what, act);
  return [
    await isRefused("set a policy on the own bucket", open),
    await isRefused("set an ACL on the own bucket", publish),
    await isRefused("delete the own bucket's policy", close),
  ];
}

async function tryServer(session: Session, { owner, buckets }: Holder, other: BucketOwner): Promise<readonly Tried[]> {
  const users = openServer({ ...session.configuration, ...owner.keys }).users(session.signal);
  const isRefused = (what: string, act: () => Promise<unknown>) => refused(bucketPromises.server, byOwn, what, act);
  const list = async (): Promise<Outcome> => {
    const others = (await buckets()).filter((name) => name !== owner.bucketName);
    return others.length === 0
      ? held
      : broken("list the server's buckets", `it named ${others.slice(0, 3).join(", ")}`);
  };
  return [
    await tried(bucketPromises.server, byOwn, async () => await list().catch(heldIfRefused)),
    await isRefused("list the server's users", async () => await users?.keysBeginning("")),
    // With the secret that they have: if it works, they keep it.
    await isRefused("set another user's secret", async () => await users?.put({ ...other.keys, role: users.role })),
  ];
}

async function readKeyless({ configuration, signal }: Session, { bucketName }: BucketOwner): Promise<unknown> {
  const { statusCode = 0 } = await proxiedRequest(objectUrl(configuration, bucketName), {
    method: "GET",
    headers: {},
    body: "",
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  }).catch((error: unknown) => {
    throw failureOf("GetObject", error, signal);
  });
  if (statusCode >= 300) {
    throw new S3Failure("GetObject", { code: "", status: statusCode, message: `the answer is ${statusCode}` });
  }
  return undefined;
}

export function objectUrl({ endpoint, region, forcePathStyle }: S3Access, bucketName: string): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (forcePathStyle) {
    url.pathname = `/${bucketName}/${Key}`;
  } else {
    url.host = `${bucketName}.${url.host}`;
    url.pathname = `/${Key}`;
  }
  return url;
}

async function trySuspended({ owner, to }: Holder): Promise<Tried> {
  const { suspended } = bucketPromises;
  const by = "a suspended member's keys";
  return await tried(suspended, by, async () => {
    await owner.suspend();
    return (await refused(suspended, by, "read an object", to(owner.bucketName).get)).outcome;
  });
}

const refused = (promised: Promised, by: string, what: string, act: () => Promise<unknown>): Promise<Tried> =>
  tried(promised, by, async () => await act().then(() => broken(what, "the server did it"), heldIfRefused));

function heldIfRefused(error: unknown): Outcome {
  if (error instanceof S3Failure && (error.status === 401 || error.status === 403)) {
    return held;
  }
  throw error;
}

async function inTurn<T>(all: readonly T[], act: (one: T) => Promise<readonly Tried[]>): Promise<readonly Tried[]> {
  const done: Tried[] = [];
  for (const one of all) {
    done.push(...(await act(one)));
  }
  return done;
}
