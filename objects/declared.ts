export interface Declared {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Pulumi's options for a replacement, which its state does not keep. */
export interface ReplaceOptions {
  readonly replaceOnChanges?: string[];
  readonly deleteBeforeReplace: boolean;
}

/** Why a live object can't become as declared. */
export type Unfit =
  | { readonly why: "terminating" }
  | { readonly why: "role"; readonly role: string }
  | { readonly why: "scopes" }
  | { readonly why: "type"; readonly type: string }
  | { readonly why: "port"; readonly port: string };
