import { Resource } from "@pulumi/pulumi";
import debuggable from "@pulumi/pulumi/runtime/debuggable.js";
import structMessages, { type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";

const { Struct } = structMessages;

/** The parts of the SDK that it does not declare. */
interface Debuggable {
  debuggablePromise: <T>(promise: Promise<T>, context: unknown) => Promise<T>;
}
interface Traced {
  stackTrace: (skip: number) => readonly unknown[];
}
type Fields = Record<string, JavaScriptValue>;

/** A stand-in for an object that the SDK has encoded: a copy takes the place of the encoding. */
class Unencoded extends Struct {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    super();
    this.#fields = decoded(fields) as Fields;
  }

  override toJavaScript(): Fields {
    return this.#fields;
  }
}

/** A copy as decoding would give it: with sorted keys, and an error for what can't be encoded. */
function decoded(value: JavaScriptValue): JavaScriptValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(decoded);
  }
  if (typeof value !== "object") {
    throw new Error(`Unexpected struct type: ${typeof value}`);
  }
  const copy: Fields = {};
  for (const key of Object.keys(value).sort()) {
    copy[key] = decoded((value as Fields)[key] as JavaScriptValue);
  }
  return copy;
}

/**
 * Has the SDK leave out, until the program has ended, what takes most of its time and is for an engine alone, of which
 * Pulumi's mocks have none: it encodes each object three times, and notes all of the stack for each resource and promise.
 */
export async function withLightSdk<T>(program: () => Promise<T>): Promise<T> {
  const sdk = debuggable as unknown as Debuggable;
  const traced = Resource as unknown as Traced;
  const { debuggablePromise } = sdk;
  const { stackTrace } = traced;
  const { fromJavaScript } = Struct;
  sdk.debuggablePromise = (promise) => promise;
  traced.stackTrace = () => [];
  Struct.fromJavaScript = (fields) => new Unencoded(fields);
  try {
    return await program();
  } finally {
    sdk.debuggablePromise = debuggablePromise;
    traced.stackTrace = stackTrace;
    Struct.fromJavaScript = fromJavaScript;
  }
}
