/**
 * What Pulumi gets for a run that writes the state down once, at its end, instead of before and after each object. Since
 * 3.104 of its command line.
 */
export const atItsEnd: Readonly<Record<string, string>> = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** What a run is to do, as far as it matters to whoever may find it killed. */
export interface Doing {
  /** URNs of what the state has and the run would delete. */
  readonly deletes: readonly string[];
  /** Whether the state is doubtful already: operations are pending, or something that it has is gone. */
  readonly isDoubtful: boolean;
}

/**
 * Why a run should not do without checkpoints; undefined where it may. Killed, it leaves the state as it was before it.
 * What it had made, the next up with the same list takes over by its labels, and what it had changed is changed to the
 * same again. But what it had deleted the state would still have: taken back into the list meanwhile, that would be
 * missing and held to be there.
 */
export function needsCheckpoints({ deletes, isDoubtful }: Doing): string | undefined {
  if (isDoubtful) {
    return "an earlier run was interrupted; let one with checkpoints finish first";
  }
  const [first] = deletes;
  return first === undefined
    ? undefined
    : `it deletes what the state would go on to have if it were killed (${first.split("::").at(-1)}` +
        `${deletes.length === 1 ? "" : ` and ${deletes.length - 1} more`}); only what makes and changes is safe without`;
}
