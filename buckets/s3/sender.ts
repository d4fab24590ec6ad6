import { failureOf } from "./awsFailures.ts";

/**
 * Sends a request. Messages use S3's name of the operation.
 * @param moreInAll milliseconds that its data takes beside the usual ones. Default: 0
 */
export type Send = <T>(
  operation: string,
  request: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  moreInAll?: number,
) => Promise<T>;

/**
 * @param signal ends all requests
 * @param patience milliseconds for a request with all its attempts
 */
export const sender =
  (signal: AbortSignal, patience: number): Send =>
  async (operation, request, moreInAll = 0) => {
    try {
      return await request({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(patience + moreInAll)]) });
    } catch (error) {
      throw failureOf(operation, error, signal);
    }
  };
