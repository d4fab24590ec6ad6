import {
  type handleUnaryCall,
  Metadata,
  type ServerUnaryCall,
  type ServiceError,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import anyMessages from "google-protobuf/google/protobuf/any_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import { messageOf } from "../../cluster/api/errors.ts";
import type { Props } from "./values.ts";

export type FieldChange = "ADD" | "DELETE" | "UPDATE";

export interface FieldDiff {
  change: FieldChange;
  replaces: boolean;
}

export function unary<Request, Response>(
  handle: (request: Request) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call: ServerUnaryCall<Request, Response>, answer: sendUnaryData<Response>) => {
    handle(call.request).then(
      (response) => answer(null, response),
      (error: unknown) => answer(serviceError(error)),
    );
  };
}

export function props(message: Struct | undefined): Props {
  return (message?.toJavaScript() ?? {}) as Props;
}

export function struct(value: Props): Struct {
  return structMessages.Struct.fromJavaScript({ ...value });
}

export function changes(some: boolean): messages.DiffResponse.DiffChanges {
  const { DIFF_SOME, DIFF_NONE } = providerMessages.DiffResponse.DiffChanges;
  return some ? DIFF_SOME : DIFF_NONE;
}

export function propertyDiff({ change, replaces }: FieldDiff): messages.PropertyDiff {
  const detail = new providerMessages.PropertyDiff();
  detail.setKind(providerMessages.PropertyDiff.Kind[replaces ? (`${change}_REPLACE` as const) : change]);
  // A deleted field is gone from the inputs; the object may still have a default.
  detail.setInputdiff(change === "DELETE");
  return detail;
}

/** The object exists but differs from its inputs: Pulumi records it with the reasons. */
export class InitFailed extends Error {
  readonly id: string;
  readonly state: Props;
  readonly reasons: string[];
  readonly inputs: Props | undefined;

  constructor(message: string, failed: { id: string; state: Props; reasons: string[]; inputs?: Props }) {
    super(message);
    this.id = failed.id;
    this.state = failed.state;
    this.reasons = [message, ...failed.reasons];
    this.inputs = failed.inputs;
  }
}

function serviceError(error: unknown): Partial<ServiceError> {
  const details = messageOf(error);
  const metadata = new Metadata();
  if (error instanceof InitFailed) {
    metadata.add("grpc-status-details-bin", initFailedDetails(error));
  }
  return { code: status.UNKNOWN, details, metadata };
}

function initFailedDetails(error: InitFailed): Buffer {
  const detail = new providerMessages.ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(structMessages.Struct.fromJavaScript({ ...error.state }));
  detail.setReasonsList(error.reasons);
  if (error.inputs) {
    detail.setInputs(structMessages.Struct.fromJavaScript({ ...error.inputs }));
  }
  const packed = new anyMessages.Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new statusMessages.Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(error.message);
  answer.addDetails(packed);
  return Buffer.from(answer.serializeBinary());
}
