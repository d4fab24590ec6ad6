/** Pulumi's ResourceProvider protocol: converts messages to plain data for the operations, and back. */
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import type { Log } from "../../../buckets/protocol/engine.ts";
import { changes, propertyDiff, props, struct, unary } from "../../../buckets/protocol/messages.ts";
import { plain } from "../../../buckets/protocol/values.ts";
import { isNamespaced } from "./cluster/kinds.ts";
import { sameCluster } from "./cluster/kubeconfig.ts";
import { check } from "./operations/check.ts";
import { create } from "./operations/create.ts";
import { deleteObject } from "./operations/delete.ts";
import { diffObject } from "./operations/diff.ts";
import { read } from "./operations/read.ts";
import { update } from "./operations/update.ts";
import { openSession, type Session } from "./session.ts";
import { diffSettings, parseSettings } from "./settings.ts";

interface ProviderOptions {
  version: string;
  log: Log;
  /** Environment of the calling `pulumi`. */
  environment: NodeJS.ProcessEnv;
  /** Ends running operations, as Pulumi's Cancel does, if the provider ends before its process. */
  signal?: AbortSignal;
  /** Called when Pulumi cancels. */
  onCancel(): void;
}

export function provider({
  version,
  log,
  environment,
  signal,
  onCancel,
}: ProviderOptions): UntypedServiceImplementation {
  const canceller = new AbortController();
  const ended = signal === undefined ? canceller.signal : AbortSignal.any([canceller.signal, signal]);
  let configured: Session | undefined;
  const session = (): Session => {
    if (!configured) {
      throw new Error("the provider has not been configured");
    }
    return configured;
  };

  return {
    getPluginInfo: unary(async (_: unknown) => new pluginMessages.PluginInfo().setVersion(version)),
    checkConfig: unary(async (request: messages.CheckRequest) => {
      return new providerMessages.CheckResponse().setInputs(request.getNews());
    }),
    diffConfig: unary(async (request: messages.DiffRequest) => {
      const { diffs, replaces } = diffSettings(props(request.getOlds()), props(request.getNews()), sameCluster);
      return new providerMessages.DiffResponse()
        .setChanges(changes(diffs.length > 0))
        .setDiffsList(diffs)
        .setReplacesList(replaces);
    }),
    configure: unary(async (request: messages.ConfigureRequest) => {
      const settings = parseSettings(Object.fromEntries(request.getVariablesMap().entries()), environment);
      configured = await openSession(settings, log, ended);
      return new providerMessages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: unary(async (request: messages.CheckRequest) => {
      const inputs = await check(session(), props(request.getNews()));
      return new providerMessages.CheckResponse().setInputs(struct(inputs));
    }),
    diff: unary(async (request: messages.DiffRequest) => {
      const { settings, cluster } = session();
      const news = props(request.getNews());
      const diff = diffObject({
        state: props(request.getOlds()),
        news,
        namespaced: await isNamespaced(plain(news), cluster?.kinds),
        ignoreChanges: request.getIgnorechangesList(),
        settings,
      });
      const response = new providerMessages.DiffResponse()
        .setChanges(changes(diff.fields.size > 0))
        .setReplacesList(diff.replaces)
        .setDeletebeforereplace(diff.deleteBeforeReplace)
        .setHasdetaileddiff(true);
      for (const [path, field] of diff.fields) {
        response.getDetaileddiffMap().set(path, propertyDiff(field));
      }
      return response;
    }),
    create: unary(async (request: messages.CreateRequest) => {
      const { id, properties } = await create(session(), {
        urn: request.getUrn(),
        properties: props(request.getProperties()),
        preview: request.getPreview(),
        customTimeout: request.getTimeout(),
      });
      return new providerMessages.CreateResponse().setId(id).setProperties(struct(properties));
    }),
    read: unary(async (request: messages.ReadRequest) => {
      const { id, inputs, state } = await read(session(), {
        urn: request.getUrn(),
        id: request.getId(),
        inputs: props(request.getInputs()),
        state: props(request.getProperties()),
      });
      const response = new providerMessages.ReadResponse();
      if (!id) {
        return response;
      }
      return response.setId(id).setInputs(struct(inputs)).setProperties(struct(state));
    }),
    update: unary(async (request: messages.UpdateRequest) => {
      const state = await update(session(), {
        urn: request.getUrn(),
        state: props(request.getOlds()),
        news: props(request.getNews()),
        preview: request.getPreview(),
        customTimeout: request.getTimeout(),
        ignoreChanges: request.getIgnorechangesList(),
      });
      return new providerMessages.UpdateResponse().setProperties(struct(state));
    }),
    delete: unary(async (request: messages.DeleteRequest) => {
      await deleteObject(session(), {
        urn: request.getUrn(),
        id: request.getId(),
        state: props(request.getProperties()),
        customTimeout: request.getTimeout(),
      });
      return new emptyMessages.Empty();
    }),
    cancel: unary(async (_: unknown) => {
      canceller.abort("cancelled by Pulumi");
      onCancel();
      return new emptyMessages.Empty();
    }),
    invoke: unary(async (request: messages.InvokeRequest) => notSupported(request.getTok())),
    construct: unary(async (request: messages.ConstructRequest) => notSupported(request.getType())),
  };
}

function notSupported(what: string): never {
  throw new Error(
    `${what} is not supported by the sandbox's stand-in for the Kubernetes plugin: it knows single objects only, no Helm, YAML or Kustomize`,
  );
}
