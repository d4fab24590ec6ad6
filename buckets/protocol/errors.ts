/** Errors in gRPC. */

import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import anyMessages from "google-protobuf/google/protobuf/any_pb.js";
import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import { messageOf } from "../../cluster/api/errors.ts";
import type { Props } from "./values.ts";

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

export function serviceError(error: unknown): Partial<ServiceError> {
  const details = messageOf(error);
  const metadata = new Metadata();
  if (error instanceof InitFailed) metadata.add("grpc-status-details-bin", initFailedDetails(error));
  return { code: status.UNKNOWN, details, metadata };
}

function initFailedDetails(error: InitFailed): Buffer {
  const detail = new providerMessages.ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(structMessages.Struct.fromJavaScript({ ...error.state }));
  detail.setReasonsList(error.reasons);
  if (error.inputs) detail.setInputs(structMessages.Struct.fromJavaScript({ ...error.inputs }));
  const packed = new anyMessages.Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new statusMessages.Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(error.message);
  answer.addDetails(packed);
  return Buffer.from(answer.serializeBinary());
}
