/**
 * First lines of warnings that `kubecamp report` finds again in what a preview said. Below each stands a line for every
 * member or object that it is about: `  name: what of it`.
 */
export const warningTitles = {
  leaving: "No longer in the list. 'pulumi up' deletes all that is theirs, and that can't be undone:",
  buckets: "Buckets that are no longer in the list, and what 'pulumi up' does with them:",
  closing: "Routes that were open, and that 'pulumi up' closes:",
  changedByHand: "Changed by hand, and put back by 'pulumi up':",
  /** Without a cluster: what could not be looked at, a line each. */
  offline: "Offline: no cluster was asked. What this preview can't know:",
  /** With an identity that has not every right: what could not be looked at or tried, a line each. */
  unchecked: "Not checked, because this identity has no right to it:",
} as const;

/** How the first line of the warning ends that says whose path is not open; before it stands how many. */
export const pendingTitle = "pending, and will open with the first 'pulumi up' that finds a fit Service:";
