import { S3ServiceException } from "@aws-sdk/client-s3";
import { codesOf, innermost } from "../../cluster/api/networkErrors.ts";
import { S3Failure } from "./failures.ts";

export function failureOf(operation: string, error: unknown, signal: AbortSignal): S3Failure {
  if (error instanceof S3Failure) {
    return error;
  }
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode !== undefined) {
    const status = error.$metadata.httpStatusCode;
    // Some answers have no error code: the status takes its place.
    const code = error.name === "" || error.name === "UnknownError" ? String(status) : error.name;
    return new S3Failure(operation, { code, status, message: error.message });
  }
  if (signal.aborted && !isTimeout(signal.reason)) {
    return new S3Failure(operation, { code: "Cancelled", message: "Pulumi was cancelled" });
  }
  if (signal.aborted || isTimeout(error) || Object(error).name === "AbortError") {
    return new S3Failure(operation, { code: "Timeout", message: "it took too long" });
  }
  const status = Object(error).$response?.statusCode as number | undefined;
  const [code = "", ...others] = codesOf(error);
  return new S3Failure(operation, { code: others.at(-1) ?? code, status, message: innermost(error) });
}

function isTimeout(reason: unknown): boolean {
  return Object(reason).name === "TimeoutError";
}

/** A list. @param proof what an answer with an empty one has: AWS's client takes a page of HTML for empty */
export function answered<T>(operation: string, list: readonly T[] | undefined, proof?: unknown): readonly T[] {
  if (list !== undefined) {
    return list;
  }
  if (proof !== undefined) {
    return [];
  }
  throw new S3Failure(operation, { code: "", status: 200, message: "it doesn't answer as S3 does" });
}

/** Sends a request, by S3's name of it. @param moreInAll milliseconds that its data takes beside the usual ones */
export type Send = <T>(
  operation: string,
  request: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  moreInAll?: number,
) => Promise<T>;

export const sender =
  (signal: AbortSignal, patience: number): Send =>
  async (operation, request, moreInAll = 0) => {
    try {
      return await request({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(patience + moreInAll)]) });
    } catch (error) {
      throw failureOf(operation, error, signal);
    }
  };
