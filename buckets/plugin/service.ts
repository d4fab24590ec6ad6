/** Pulumi's ResourceProvider protocol: converts messages to plain data for the resources, and back. */
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import type { CheckedInputs } from "../bucket/check.ts";
import type { Log } from "../protocol/engine.ts";
import { changes, checkFailure, type FieldChange, propertyDiff, props, struct, unary } from "../protocol/messages.ts";
import { changedServer } from "./changedServer.ts";
import { checkConfiguration, diffConfiguration, serverConfiguration } from "./configuration.ts";
import { leaving } from "./leaving.ts";
import type { Request } from "./requests.ts";
import { kindOf } from "./resources.ts";
import type { OpenServer, Session } from "./session.ts";

interface ServiceOptions {
  readonly version: string;
  readonly log: Log;
  readonly open: OpenServer;
  /** Called when Pulumi cancels. */
  onCancel(): void;
}

export function service({ version, log, open, onCancel }: ServiceOptions): UntypedServiceImplementation {
  const canceller = new AbortController();
  let configured: Session | undefined;
  const session = (): Session => {
    if (!configured) throw new Error("the provider has not been configured");
    return configured;
  };

  return {
    getPluginInfo: unary(async (_: unknown) => new pluginMessages.PluginInfo().setVersion(version)),
    checkConfig: unary(async (request: messages.CheckRequest) => checked(checkConfiguration(props(request.getNews())))),
    diffConfig: unary(async (request: messages.DiffRequest) => {
      const [olds, news] = [props(request.getOlds()), props(request.getNews())];
      const fields = diffConfiguration(olds, news);
      for (const reported of changedServer(olds, news)) await log.say("WARNING", request.getUrn(), reported);
      return new providerMessages.DiffResponse().setChanges(changes(fields.length > 0)).setDiffsList(fields);
    }),
    configure: unary(async (request: messages.ConfigureRequest) => {
      const configuration = serverConfiguration(props(request.getArgs()));
      configured = { configuration, server: open(configuration), log, signal: canceller.signal };
      return new providerMessages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: unary(async (request: messages.CheckRequest) =>
      checked(kindOf(request.getUrn()).check(session(), props(request.getOlds()), props(request.getNews()))),
    ),
    diff: unary(async (request: messages.DiffRequest) => {
      const kind = kindOf(request.getUrn());
      const [olds, news] = [props(request.getOlds()), props(request.getNews())];
      const inputs = request.hasOldInputs() ? props(request.getOldInputs()) : olds;
      return differences(kind.diff(olds, news, inputs));
    }),
    create: unary(async (request: messages.CreateRequest) => {
      const kind = kindOf(request.getUrn());
      const made = request.getPreview() ? kind.preview : kind.create;
      const { id, properties } = await made(session(), requestOf(request), props(request.getProperties()));
      return new providerMessages.CreateResponse().setId(id).setProperties(struct(properties));
    }),
    read: unary(async (request: messages.ReadRequest) => {
      const before = { id: request.getId(), inputs: props(request.getInputs()), state: props(request.getProperties()) };
      const found = await kindOf(request.getUrn()).read(session(), requestOf(request), before);
      const response = new providerMessages.ReadResponse();
      if (found === undefined) return response;
      return response.setId(found.id).setInputs(struct(found.inputs)).setProperties(struct(found.properties));
    }),
    update: unary(async (request: messages.UpdateRequest) => {
      const kind = kindOf(request.getUrn());
      const [olds, news] = [props(request.getOlds()), props(request.getNews())];
      const properties = request.getPreview()
        ? kind.previewUpdate(olds, news)
        : await kind.update(session(), requestOf(request), olds, news);
      return new providerMessages.UpdateResponse().setProperties(struct(properties));
    }),
    delete: unary(async (request: messages.DeleteRequest) => {
      const kind = kindOf(request.getUrn());
      await kind.remove(session(), requestOf(request), request.getId(), props(request.getProperties()));
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

function requestOf(request: { getUrn(): string; getTimeout(): number }): Request {
  return { urn: request.getUrn(), timeout: request.getTimeout() };
}

function checked({ inputs, failures }: CheckedInputs): messages.CheckResponse {
  const response = new providerMessages.CheckResponse().setInputs(struct(inputs));
  return response.setFailuresList(failures.map(checkFailure));
}

/** No change replaces a resource: a replaced bucket would be empty. */
function differences(fields: Map<string, FieldChange>): messages.DiffResponse {
  const response = new providerMessages.DiffResponse().setChanges(changes(fields.size > 0)).setHasdetaileddiff(true);
  for (const [field, change] of fields) {
    response.getDetaileddiffMap().set(field, propertyDiff({ change, replaces: false }));
  }
  return response;
}
