/** Messages to the person at the terminal, by way of Pulumi's engine. */
import { credentials, Metadata } from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";

export type Severity = "INFO" | "WARNING";

/** Milliseconds for the engine to take a message. */
const patience = 10_000;

export interface Log {
  /** Stays in the output. */
  say(severity: Severity, urn: string, message: string): Promise<void>;
  /** Is shown while the operation runs. */
  status(urn: string, message: string): Promise<void>;
}

/** Done when the engine has it: what it is told after an operation's end may come too late to be shown. */
export function engineLog(address: string): Log {
  const client = new engineServices.EngineClient(address, credentials.createInsecure());
  const send = (severity: Severity, urn: string, message: string, ephemeral: boolean): Promise<void> => {
    const request = new engineMessages.LogRequest();
    request.setSeverity(engineMessages.LogSeverity[severity]);
    request.setUrn(urn);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    // A message that the engine no longer takes is no reason to fail an operation.
    const deadline = Date.now() + patience;
    return new Promise((resolve) => client.log(request, new Metadata(), { deadline }, () => resolve()));
  };
  return {
    say: (severity, urn, message) => send(severity, urn, message, false),
    status: (urn, message) => send("INFO", urn, message, true),
  };
}
