/** Starts the stand-in as Pulumi does and talks to it in plain data. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import type { Props } from "../../../../../../buckets/protocol/values.ts";

export const main = fileURLToPath(new URL("../../../../../../sandbox/standins/kubernetes/main.ts", import.meta.url));

export interface Verdict {
  changes: "NONE" | "SOME";
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** The kind of change by path; an input diff is marked so. */
  detailedDiff: Record<string, string>;
}

/** A failure as the engine sees it: the words, and for a half-made object its state. */
interface Failure {
  message: string;
  initFailed?: { id: string; state: Props; reasons: string[]; inputs: Props };
}

interface Message {
  urn: string;
  text: string;
  ephemeral: boolean;
}

interface Written {
  id: string;
  state: Props;
}

const changeKinds = ["ADD", "ADD_REPLACE", "DELETE", "DELETE_REPLACE", "UPDATE", "UPDATE_REPLACE"];

export class Plugin {
  readonly process: ChildProcess;
  /** All that it has said by way of the engine. */
  readonly messages: Message[];
  readonly #engine: Server;
  readonly #client: InstanceType<typeof providerServices.ResourceProviderClient>;

  private constructor(child: ChildProcess, engine: Server, messages: Message[], port: string) {
    this.process = child;
    this.messages = messages;
    this.#engine = engine;
    this.#client = new providerServices.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  }

  /** `env` replaces the environment but for PATH. */
  static async start(env: Record<string, string> = {}): Promise<Plugin> {
    const messages: Message[] = [];
    const engine = new Server();
    engine.addService(engineServices.EngineService, {
      log: (call: { request: LogRequest }, answer: (error: null, value: unknown) => void) => {
        const { request } = call;
        messages.push({ urn: request.getUrn(), text: request.getMessage(), ephemeral: request.getEphemeral() });
        answer(null, new emptyMessages.Empty());
      },
    });
    const bind = promisify(engine.bindAsync.bind(engine));
    const enginePort = await bind("127.0.0.1:0", ServerCredentials.createInsecure());
    const child = spawn(process.execPath, [main, `127.0.0.1:${enginePort}`], {
      env: { PATH: process.env.PATH ?? "", ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    const exited = once(child, "exit").then(([code]) => Promise.reject(new Error(`exit ${code}: ${stderr}`)));
    const [chunk] = await Promise.race([once(child.stdout, "data"), exited]);
    exited.catch(() => {});
    return new Plugin(child, engine, messages, String(chunk).trim());
  }

  async stop(): Promise<void> {
    const gone = this.process.exitCode === null && !this.process.signalCode ? once(this.process, "exit") : undefined;
    this.process.kill("SIGTERM");
    await gone;
    this.#client.close();
    this.#engine.forceShutdown();
  }

  async configure(variables: Record<string, string>): Promise<void> {
    const request = new providerMessages.ConfigureRequest();
    for (const [key, value] of Object.entries(variables)) {
      request.getVariablesMap().set(`kubernetes:config:${key}`, value);
    }
    request.setAcceptsecrets(true);
    await call<messages.ConfigureResponse>((answer) => this.#client.configure(request, answer));
  }

  async diffConfig(olds: Props, news: Props): Promise<{ changes: string; diffs: string[]; replaces: string[] }> {
    const request = new providerMessages.DiffRequest();
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    const response = await call<messages.DiffResponse>((answer) => this.#client.diffConfig(request, answer));
    return { changes: changesOf(response), diffs: response.getDiffsList(), replaces: response.getReplacesList() };
  }

  async check(urn: string, news: Props): Promise<Props> {
    const request = new providerMessages.CheckRequest();
    request.setUrn(urn);
    request.setNews(struct(news));
    return props((await call<messages.CheckResponse>((answer) => this.#client.check(request, answer))).getInputs());
  }

  async diff(urn: string, state: Props, news: Props): Promise<Verdict> {
    const request = new providerMessages.DiffRequest();
    request.setUrn(urn);
    request.setOlds(struct(state));
    request.setNews(struct(news));
    const response = await call<messages.DiffResponse>((answer) => this.#client.diff(request, answer));
    const detailed: Record<string, string> = {};
    for (const [path, diff] of response.getDetaileddiffMap().entries()) {
      detailed[path] = `${changeKinds[diff.getKind()]}${diff.getInputdiff() ? " input" : ""}`;
    }
    return {
      changes: changesOf(response),
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      detailedDiff: detailed,
    };
  }

  async create(urn: string, inputs: Props, { preview = false } = {}): Promise<Written> {
    const request = new providerMessages.CreateRequest();
    request.setUrn(urn);
    request.setProperties(struct(inputs));
    request.setPreview(preview);
    const response = await call<messages.CreateResponse>((answer) => this.#client.create(request, answer));
    return { id: response.getId(), state: props(response.getProperties()) };
  }

  async read(urn: string, id: string, inputs: Props = {}, state: Props = {}): Promise<Written & { inputs: Props }> {
    const request = new providerMessages.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setInputs(struct(inputs));
    request.setProperties(struct(state));
    const response = await call<messages.ReadResponse>((answer) => this.#client.read(request, answer));
    return { id: response.getId(), inputs: props(response.getInputs()), state: props(response.getProperties()) };
  }

  async update(urn: string, state: Props, news: Props, { preview = false } = {}): Promise<Props> {
    const request = new providerMessages.UpdateRequest();
    request.setUrn(urn);
    request.setOlds(struct(state));
    request.setNews(struct(news));
    request.setPreview(preview);
    return props(
      (await call<messages.UpdateResponse>((answer) => this.#client.update(request, answer))).getProperties(),
    );
  }

  async delete(urn: string, id: string, state: Props): Promise<void> {
    const request = new providerMessages.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(struct(state));
    await call((answer) => this.#client.delete(request, answer));
  }
}

/** The failure of a call that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: ServiceError) => ({ error }),
  );
  if ("value" in outcome) {
    throw new Error(`expected a failure, got ${JSON.stringify(outcome.value)}`);
  }
  const [encoded] = outcome.error.metadata?.get("grpc-status-details-bin") ?? [];
  const failure: Failure = { message: outcome.error.details ?? outcome.error.message };
  if (!(encoded instanceof Buffer)) {
    return failure;
  }
  const [packed] = statusMessages.Status.deserializeBinary(encoded).getDetailsList();
  const detail = providerMessages.ErrorResourceInitFailed.deserializeBinary(
    packed?.getValue_asU8() ?? new Uint8Array(),
  );
  const initFailed = {
    id: detail.getId(),
    state: props(detail.getProperties()),
    reasons: detail.getReasonsList(),
    inputs: props(detail.getInputs()),
  };
  return { ...failure, initFailed };
}

async function call<Response>(
  send: (answer: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  send((error, response) => (error ? reject(error) : resolve(response)));
  return await promise;
}

function changesOf(response: messages.DiffResponse): "NONE" | "SOME" {
  return response.getChanges() === providerMessages.DiffResponse.DiffChanges.DIFF_SOME ? "SOME" : "NONE";
}

function struct(value: Props): Struct {
  return structMessages.Struct.fromJavaScript({ ...value });
}

function props(message: Struct | undefined): Props {
  return (message?.toJavaScript() ?? {}) as Props;
}
