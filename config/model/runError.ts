/**
 * An error that says all there is to say, so that nobody is shown where in the code it was thrown. Pulumi takes it for one of
 * its own, which it knows by this field, from whichever copy of its SDK: that itself would take a quarter of a second to load.
 * @see https://www.pulumi.com/docs/reference/pkg/nodejs/pulumi/pulumi/classes/RunError.html
 */
export class RunError extends Error {
  readonly __pulumiRunError = true;

  static isInstance(error: unknown): error is RunError {
    return typeof error === "object" && error !== null && Reflect.get(error, "__pulumiRunError") === true;
  }
}
