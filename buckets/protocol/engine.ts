import { credentials, Metadata } from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";

type Severity = "INFO" | "WARNING";

/** Milliseconds for the engine to take a message. */
const patience = 10_000;

export interface Log {
  /** Shows a message that stays in the output. */
  say(severity: Severity, urn: string, message: string): Promise<void>;
  /** Shows a message while the operation runs. */
  status(urn: string, message: string): Promise<void>;
  close(): void;
}

/** Logs through the engine. Await each message: the engine may not show one that arrives after the operation's end. */
export function engineLog(address: string): Log {
  const client = new engineServices.EngineClient(address, credentials.createInsecure());
  const requestFor = (severity: Severity, urn: string, message: string) =>
    new engineMessages.LogRequest().setSeverity(engineMessages.LogSeverity[severity]).setUrn(urn).setMessage(message);
  const send = (request: engineMessages.LogRequest): Promise<void> => {
    // A message that the engine no longer takes must not fail the operation.
    const deadline = Date.now() + patience;
    return new Promise((resolve) => client.log(request, new Metadata(), { deadline }, () => resolve()));
  };
  return {
    say: (severity, urn, message) => send(requestFor(severity, urn, message)),
    status: (urn, message) => send(requestFor("INFO", urn, message).setEphemeral(true)),
    close: () => client.close(),
  };
}
