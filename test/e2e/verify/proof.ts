/** A promise in what `kubecamp verify -o json` prints. */
export interface Proof {
  readonly part: string;
  readonly promise: string;
  readonly result: string;
  readonly page: string;
  readonly trials: number;
  readonly details: readonly {
    readonly by: string;
    readonly is: string;
    readonly tried?: string;
    readonly came?: string;
    readonly why?: string;
    readonly accepted?: string;
  }[];
}
