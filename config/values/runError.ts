/**
 * An error whose message is complete, so that nobody is shown a stack trace. Pulumi recognizes its own RunError by this
 * field, from any copy of the SDK; loading the SDK for it would take a quarter of a second.
 * @see https://www.pulumi.com/docs/reference/pkg/nodejs/pulumi/pulumi/classes/RunError.html
 */
export class RunError extends Error {
  readonly __pulumiRunError = true;

  static isInstance(error: unknown): error is RunError {
    return typeof error === "object" && error !== null && Reflect.get(error, "__pulumiRunError") === true;
  }
}
