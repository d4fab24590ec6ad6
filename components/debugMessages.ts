import * as pulumi from "@pulumi/pulumi";

/** What the SDK asks the engine to log. */
interface LogRequest {
  getMessage(): string;
  setMessage(message: string): void;
}

type Log = (request: LogRequest, ...rest: readonly unknown[]) => unknown;

/** Where a message begins to say what has come of a resource, in plain text, whatever of it is secret. */
const answer = ", resp: ";

/**
 * Takes out of the SDK's messages what has come of each resource: it tells the engine all of it, which puts it into the log
 * that `--event-log` or `--debug` asks for, and the Automation API always. Each is marked as one for debugging, which no
 * option of the SDK leaves out.
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
