import { z } from "zod";
import { boardOf, boardSchema } from "./board.ts";
import { budgetsOf, budgetsSchema } from "./budgets.ts";
import { capacitySchema, clusterOf, clusterSchema, contactSchema, defaultContact } from "./cluster.ts";
import { imagesSchema } from "./images.ts";
import { labelKeysOnCluster, labelsSchema } from "./labels.ts";
import { type CiSettings, ciSchema } from "./member/ci.ts";
import type { Confinement } from "./member/confinement.ts";
import { defaultsSchema, limits } from "./member/limits.ts";
import { membersFileSchema, membersSchema } from "./member/list.ts";
import type { Member } from "./member/member.ts";
import { memberTypesSchema } from "./member/types.ts";
import { networkSchema, networkSettingsOf } from "./network.ts";
import { notifySchema, notifySettingsOf } from "./notify.ts";
import { objectKindsOf, objectKindsSchema } from "./objects/objectKinds.ts";
import { type ManifestFiles, objectsOf, objectsSchema } from "./objects/objects.ts";
import { offboardingOf, offboardingSchema } from "./offboarding.ts";
import { oidcOf, oidcSchema } from "./oidc.ts";
import { routeSchema, routeSettingsOf } from "./route/route.ts";
import { scheduleSchema } from "./schedule.ts";
import { shardOfSchema, shardsOf, shardsSchema } from "./shards.ts";
import { staffOf, staffSchema } from "./staff.ts";
import { starterSchema, starterSettingsOf } from "./starter.ts";
import { bucketKeysSchema } from "./storage/bucketKeys.ts";
import { storageSchema, storageSettingsOf } from "./storage/storage.ts";
import { checked, type Valid } from "./values/issues.ts";
import { defined, isMap, unread } from "./values/maps.ts";

/** All settings, in the order of docs/reference/settings.md. Each has its meaning in its own file. */
export const settingsSchema = z.strictObject({
  members: membersSchema,
  membersFile: membersFileSchema,
  memberTypes: memberTypesSchema,
  defaults: defaultsSchema,
  labels: labelsSchema,
  capacity: capacitySchema,
  budgets: budgetsSchema,
  staff: staffSchema,
  ci: ciSchema,
  objectKinds: objectKindsSchema,
  objects: objectsSchema,
  cluster: clusterSchema,
  oidc: oidcSchema,
  images: imagesSchema,
  contact: contactSchema,
  shards: shardsSchema,
  shardOf: shardOfSchema,
  route: routeSchema,
  network: networkSchema,
  starter: starterSchema,
  schedule: scheduleSchema,
  storage: storageSchema,
  bucketKeys: bucketKeysSchema,
  offboarding: offboardingSchema,
  notify: notifySchema,
  board: boardSchema,
});

export type SettingsEntry = z.input<typeof settingsSchema>;

export interface SettingsFiles {
  /** Pages in the folder of `starter.pagesFolder`; undefined without one. */
  readonly pages?: Readonly<Record<string, string>> | undefined;
  /** The files of `objects`. Default: none could be read. */
  readonly objects?: ManifestFiles | undefined;
}

/** The settings with defaults, but for `offboarding`, and without those that entries inherit (`resolvedMember`). */
export function settingsOf(stack: string, entry: Valid<SettingsEntry>, files: SettingsFiles = {}) {
  const oidc = oidcOf(entry.oidc);
  const route = routeSettingsOf(entry.route);
  const objectKinds = objectKindsOf(entry.objectKinds);
  return {
    stack,
    cluster: clusterOf(entry.cluster),
    oidc,
    route,
    network: networkSettingsOf(entry.network),
    contact: entry.contact ?? defaultContact,
    starter: starterSettingsOf(entry.starter, files.pages),
    offboarding: offboardingOf(entry.offboarding),
    notify: notifySettingsOf(entry.notify),
    ...defined({
      labelKeys: labelKeysOnCluster(entry.labels),
      shards: shardsOf(stack, entry),
      storage: entry.storage && storageSettingsOf(entry.storage),
      board: entry.board && boardOf(entry.board, oidc, route.login),
      budgets: entry.budgets && budgetsOf(entry.budgets),
      staff: entry.staff && staffOf(entry.staff, { oidc }),
      objectKinds,
      objects: entry.objects && objectsOf(entry.objects, files.objects, objectKinds),
    }),
  };
}

export interface Settings extends Readonly<ReturnType<typeof settingsOf>> {
  /** Absent for a stack without, none of whose members has CI jobs. */
  readonly ci?: CiSettings;
  /** Absent if no type and no member sets any of it. */
  readonly confinement?: Confinement;
}

export interface Configuration {
  readonly settings: Settings;
  readonly members: readonly Member[];
}

/** The valid settings among these values, and the mistakes that each has by itself. */
export function checkedSettings({ members: _, kubecamp: nested, ...settings }: Readonly<Record<string, unknown>>) {
  // Another rule reports a map below `kubecamp` as a whole.
  const values =
    nested === undefined || (isMap(nested) && nested !== unread) ? settings : { ...settings, kubecamp: nested };
  const { valid, wrong, mistakes } = checked(settingsSchema, values, { at: [], figures: limits });
  return { entry: valid, wrongSettings: wrong, mistakes };
}
