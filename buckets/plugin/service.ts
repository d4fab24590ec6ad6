import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import { bucketType, bucketUserType, leavingFunction } from "../../config/names/urns.ts";
import { type CheckedInputs, checkBucket, diffBucket } from "../bucket/check.ts";
import { undeclaredBuckets } from "../bucket/leaving.ts";
import type { Log } from "../protocol/engine.ts";
import { changes, type FieldChange, propertyDiff, props, struct, unary } from "../protocol/messages.ts";
import { type Props, plain } from "../protocol/values.ts";
import { explained, Refused } from "../s3/failures.ts";
import type { S3Configuration, StorageServer } from "../s3/server.ts";
import * as bucket from "./bucketResource.ts";
import { changedServer, diffConfiguration, s3Configuration, serverName } from "./configuration.ts";
import { type Before, type FoundResource, type Session, type Written, withServer } from "./session.ts";
import * as user from "./userResource.ts";

interface ResourceKind {
  check(session: Session, olds: Props, news: Props): CheckedInputs;
  /** @param inputs the last declared ones; `olds` are the outputs in the state */
  diff(olds: Props, news: Props, inputs: Props): Map<string, FieldChange>;
  create(session: Session, urn: string, news: Props): Promise<Written>;
  preview(session: Session, urn: string, news: Props): Promise<Written>;
  update(session: Session, urn: string, olds: Props, news: Props): Promise<Props>;
  previewUpdate(olds: Props, news: Props): Props;
  read(session: Session, urn: string, before: Before): Promise<FoundResource | undefined>;
  remove(session: Session, urn: string, state: Props): Promise<void>;
}

const kinds: Readonly<Record<string, ResourceKind>> = {
  [bucketType]: {
    check: ({ server, signal }, olds, news) =>
      checkBucket(olds, news, { givesBuckets: server.users(signal) !== undefined }),
    diff: diffBucket,
    create: bucket.createBucket,
    preview: bucket.previewBucket,
    update: bucket.updateBucket,
    previewUpdate: (_, news) => news,
    read: bucket.readBucket,
    remove: bucket.deleteBucket,
  },
  [bucketUserType]: {
    check: ({ server, signal }, _, news) => ({
      inputs: user.userInputs(news, server.users(signal)?.role),
      failures: [],
    }),
    diff: user.diffUser,
    create: user.createUser,
    preview: user.previewUser,
    update: user.updateUser,
    previewUpdate: user.previewUserUpdate,
    read: user.readUser,
    remove: user.deleteUser,
  },
};

function kindOf(urn: string): ResourceKind {
  const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const kind = kinds[token];
  if (kind === undefined) {
    throw new Error(`this plugin has no resource ${token}`);
  }
  return kind;
}

interface ServiceOptions {
  readonly version: string;
  readonly log: Log;
  open(configuration: S3Configuration): StorageServer;
  onCancel(): void;
}

export function service({ version, log, open, onCancel }: ServiceOptions): UntypedServiceImplementation {
  const canceller = new AbortController();
  let configured: Session | undefined;
  const session = (): Session => {
    if (!configured) {
      throw new Error("the provider has not been configured");
    }
    return configured;
  };

  return {
    getPluginInfo: unary(async (_: unknown) => new pluginMessages.PluginInfo().setVersion(version)),
    checkConfig: unary(async (request: messages.CheckRequest) =>
      new providerMessages.CheckResponse().setInputs(request.getNews()),
    ),
    diffConfig: unary(async (request: messages.DiffRequest) => {
      const [olds, news] = [props(request.getOlds()), props(request.getNews())];
      const fields = diffConfiguration(olds, news);
      for (const reported of changedServer(olds, news)) {
        await log.say("WARNING", request.getUrn(), reported);
      }
      return new providerMessages.DiffResponse().setChanges(changes(fields.length > 0)).setDiffsList(fields);
    }),
    configure: unary(async (request: messages.ConfigureRequest) => {
      const configuration = s3Configuration(props(request.getArgs()));
      configured = { configuration, server: open(configuration), log, signal: canceller.signal };
      return new providerMessages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: unary(async (request: messages.CheckRequest) => {
      const { check } = kindOf(request.getUrn());
      const { inputs, failures } = check(session(), props(request.getOlds()), props(request.getNews()));
      const mistakes = failures.map(({ property, reason }) =>
        new providerMessages.CheckFailure().setProperty(property).setReason(reason),
      );
      return new providerMessages.CheckResponse().setInputs(struct(inputs)).setFailuresList(mistakes);
    }),
    diff: unary(async (request: messages.DiffRequest) => {
      const kind = kindOf(request.getUrn());
      const [olds, news] = [props(request.getOlds()), props(request.getNews())];
      const inputs = request.hasOldInputs() ? props(request.getOldInputs()) : olds;
      return differences(kind.diff(olds, news, inputs));
    }),
    create: unary(async (request: messages.CreateRequest) => {
      const kind = kindOf(request.getUrn());
      const made = request.getPreview() ? kind.preview : kind.create;
      const { id, properties } = await made(session(), request.getUrn(), props(request.getProperties()));
      return new providerMessages.CreateResponse().setId(id).setProperties(struct(properties));
    }),
    read: unary(async (request: messages.ReadRequest) => readResource(session(), request)),
    update: unary(async (request: messages.UpdateRequest) => {
      const kind = kindOf(request.getUrn());
      const [olds, news] = [props(request.getOlds()), props(request.getNews())];
      const properties = request.getPreview()
        ? kind.previewUpdate(olds, news)
        : await kind.update(session(), request.getUrn(), olds, news);
      return new providerMessages.UpdateResponse().setProperties(struct(properties));
    }),
    delete: unary(async (request: messages.DeleteRequest) => {
      await kindOf(request.getUrn()).remove(session(), request.getUrn(), props(request.getProperties()));
      return new emptyMessages.Empty();
    }),
    invoke: unary(async (request: messages.InvokeRequest) => {
      const result = await leaving(session(), request.getTok(), props(request.getArgs()));
      return new providerMessages.InvokeResponse().setReturn(struct(result));
    }),
    cancel: unary(async (_: unknown) => {
      canceller.abort();
      onCancel();
      return new emptyMessages.Empty();
    }),
  };
}

async function readResource(session: Session, request: messages.ReadRequest): Promise<messages.ReadResponse> {
  const before = { id: request.getId(), inputs: props(request.getInputs()), state: props(request.getProperties()) };
  const response = new providerMessages.ReadResponse();
  // An import has no state: a bucket is taken over by 'adopt', and no server tells a user's secret.
  if (Object.keys(before.state).length === 0) {
    return response;
  }
  const found = await kindOf(request.getUrn()).read(session, request.getUrn(), before);
  if (found === undefined) {
    return response;
  }
  return response.setId(found.id).setInputs(struct(found.inputs)).setProperties(struct(found.properties));
}

/** No change replaces a resource: a replaced bucket would be empty. */
function differences(fields: Map<string, FieldChange>): messages.DiffResponse {
  const response = new providerMessages.DiffResponse().setChanges(changes(fields.size > 0)).setHasdetaileddiff(true);
  for (const [field, change] of fields) {
    response.getDetaileddiffMap().set(field, propertyDiff({ change, replaces: false }));
  }
  return response;
}

/** The plugin's only function, called by `leavingBuckets` of buckets/resources.ts. */
export async function leaving(session: Session, asked: string, args: Props): Promise<Props> {
  if (asked !== leavingFunction) {
    throw new Error(`this plugin has no function ${asked}; it has ${leavingFunction}`);
  }
  const { declared } = plain(args);
  const names = Array.isArray(declared) ? declared.filter((name) => typeof name === "string") : [];
  const { stack, accessKeyId: administrator } = session.configuration;
  try {
    const { buckets, unseen } = await withServer({ session, urn: "", who: "buckets that leave" }, (asked) =>
      undeclaredBuckets(asked, { stack, administrator, declared: names }),
    );
    const [first] = unseen;
    if (first !== undefined) {
      const { message } = explained(first.error, `'${first.bucketName}'`, serverName(session.configuration));
      const count = `${unseen.length} bucket${unseen.length === 1 ? "" : "s"}`;
      const reported = `${count} on the server could not be looked at, and may be among those that go, such as ${message}`;
      await session.log.say("WARNING", "", reported);
    }
    return { buckets: buckets.map((bucket) => ({ ...bucket }) as unknown as Props) };
  } catch (error) {
    // The list is only information: without it the run continues.
    if (!(error instanceof Refused)) {
      throw error;
    }
    await session.log.say("WARNING", "", `what will be deleted can't be counted: ${error.message}`);
    return { buckets: [] };
  }
}
