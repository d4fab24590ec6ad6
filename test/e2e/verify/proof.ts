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

/** Lines of what is not held, or by acceptance, each with the page that says what to do. */
export const troubles = (proofs: readonly Proof[]): string[] =>
  proofs.flatMap(({ details, page }) =>
    details.map(
      ({ by, is, tried, came, why, accepted }) => `${by}: ${is}: ${why ?? accepted ?? `${tried}: ${came}`} -> ${page}`,
    ),
  );
