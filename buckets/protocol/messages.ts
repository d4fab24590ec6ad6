/** Conversion between the protocol's messages and plain data. */
import type { handleUnaryCall, ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import structMessages, { type Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { serviceError } from "./errors.ts";
import type { Props } from "./values.ts";

export type FieldChange = "ADD" | "DELETE" | "UPDATE";

/** A field's change, and whether it replaces the object. */
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

export function checkFailure({ property, reason }: { property: string; reason: string }): messages.CheckFailure {
  const failure = new providerMessages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

export function propertyDiff({ change, replaces }: FieldDiff): messages.PropertyDiff {
  const detail = new providerMessages.PropertyDiff();
  detail.setKind(providerMessages.PropertyDiff.Kind[replaces ? (`${change}_REPLACE` as const) : change]);
  // A deleted field is gone from the inputs; the object may still have a default.
  detail.setInputdiff(change === "DELETE");
  return detail;
}
