import type { GivenKind } from "./givenKinds.ts";
import type { Selector } from "./selector.ts";

/** A manifest for members, with placeholders such as `${member}`. */
export interface Manifest {
  readonly kind: GivenKind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** All but `apiVersion`, `kind` and `metadata`; empty for a copy. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Namespace of the live object of that kind and name to copy. Default: it is no copy. */
  readonly copyOf?: string;
  /** Whether pods use it to pull images without asking for it. */
  readonly isPullSecret?: true;
  /** Whether it is the member's own once a run has made it. */
  readonly isTheirs?: true;
}

/** Manifests of one entry of `objects`. */
export interface GivenObjects {
  /** Index in `objects`. */
  readonly index: number;
  readonly for: Selector;
  readonly manifests: readonly Manifest[];
}

/** A manifest as a member gets it, with all placeholders filled in. */
export interface GivenObject extends Manifest {
  /** Index in `objects`. */
  readonly index: number;
  /** Index in the entry's manifests. */
  readonly at: number;
}
