/** An object as a builder declares it. */
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
