import { z } from "zod";
import type { EntryOf } from "./values/issues.ts";
import { defined, given, present } from "./values/maps.ts";
import { amount, bucketName, choiceOf, className, dnsLabel, flag, optional } from "./values/values.ts";

const defaultArchive = { secrets: false, volumes: "retain" } as const;

const archiveSchema = z.strictObject(
  {
    bucket: bucketName.meta({
      description: "Bucket for archives on the server of `storage`. You create it; no member may have it.",
      examples: ["kubecamp-archive"],
    }),
    secrets: optional(flag, "Whether Secrets are archived too.", { default: defaultArchive.secrets }),
    volumes: optional(
      choiceOf(["retain", "snapshot", "none"]),
      "`retain` keeps the volumes, `snapshot` keeps a VolumeSnapshot of each, `none` deletes them.",
      { default: defaultArchive.volumes },
    ),
    snapshotClass: optional(className, "VolumeSnapshotClass, for `volumes: snapshot`. Default: the cluster's default."),
  },
  "must be a map with bucket",
);

export type ArchiveSettings = Readonly<ReturnType<typeof archiveOf>>;

const archiveOf = ({ bucket = "", ...entry }: EntryOf<typeof archiveSchema>) => ({
  bucket,
  ...defaultArchive,
  ...given(entry, "secrets", "volumes", "snapshotClass"),
});

/** Without `maxRemovals`, an empty list removes nobody: a truncated file looks like it. */
export const defaultOffboarding = { maxRemovals: 3, graceDays: 0, protect: false, adopt: false } as const;

export const offboardingSchema = optional(
  z.strictObject(
    {
      maxRemovals: optional(
        amount(0, 1_000_000, "members"),
        "Most members that one run may remove, or suspend for `graceDays`; a run with more stops. An empty list stops a run, unless you set this.",
        { default: defaultOffboarding.maxRemovals },
      ),
      graceDays: optional(
        amount(0, 3650, "days"),
        "Days from leaving the list to the removal; meanwhile, the member is suspended and can come back. 0 removes at once.",
        { default: defaultOffboarding.graceDays },
      ),
      removeNow: optional(
        z.array(dnsLabel, "must be a list of names"),
        "Members who have left the list, for the next run to remove without waiting.",
        { default: [], examples: [["bob"]] },
      ),
      archive: optional(
        archiveSchema,
        "Archive of each member, required before the removal; it needs `storage`. See [archive.md](../run/archive.md).",
        { examples: [{ bucket: "kubecamp-archive" }] },
      ),
      protect: optional(flag, "Whether a run refuses to remove a member, unless the entry says otherwise.", {
        default: defaultOffboarding.protect,
      }),
      adopt: optional(flag, "Whether to take over existing namespaces, unless the entry says otherwise.", {
        default: defaultOffboarding.adopt,
      }),
    },
    "must be a map",
  ),
  "Rules for removing members ([offboarding.md](../run/offboarding.md)) and taking over namespaces ([adopt.md](../start/adopt.md)).",
  { examples: [{ maxRemovals: 10, protect: true }] },
);

/** Rules for removals. What is not set is absent. */
export type OffboardingSettings = Readonly<ReturnType<typeof offboardingOf>>;

export const offboardingOf = (entry: EntryOf<typeof offboardingSchema> = {}) => ({
  ...given(entry, "maxRemovals", "graceDays"),
  ...defined({
    removeNow: entry.removeNow && present(entry.removeNow),
    archive: entry.archive && archiveOf(entry.archive),
  }),
});

export const hasGrace = ({
  offboarding: { graceDays = 0, archive },
}: {
  readonly offboarding: OffboardingSettings;
}): boolean => graceDays > 0 || archive !== undefined;
