import * as pulumi from "@pulumi/pulumi";

/** A request of the SDK to the engine's log. */
interface LogRequest {
  getMessage(): string;
  setMessage(message: string): void;
}

type Log = (request: LogRequest, ...rest: readonly unknown[]) => unknown;

/** Start of the part of a message that has a resource's outcome in plain text, secrets included. */
const answer = ", resp: ";

/**
 * Takes each resource's outcome out of the SDK's messages. The SDK sends all of it to the engine as a debug message,
 * which no option leaves out. The engine writes it into the log for `--event-log` or `--debug`, and always into the
 * Automation API's.
 * @see https://www.pulumi.com/docs/iac/support/debugging/logging/
 */
export function keepSecretsOutOfDebugMessages(engine: object | undefined = pulumi.runtime.getEngine()): void {
  if (engine === undefined) {
    return;
  }
  const log: Log = Reflect.get(engine, "log").bind(engine);
  const withoutAnswer: Log = (request, ...rest) => {
    const message = request.getMessage();
    const at = message.indexOf(answer);
    if (/RPC finished: /.test(message) && at >= 0) {
      request.setMessage(`${message.slice(0, at)}${answer}(left out)`);
    }
    return log(request, ...rest);
  };
  Reflect.set(engine, "log", withoutAnswer);
}
