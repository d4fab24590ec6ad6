import { boardRule } from "./board.ts";
import { budgetRule } from "./budgets.ts";
import { capacityRule } from "./cluster.ts";
import { onClusterRule } from "./labels.ts";
import { ciRule } from "./member/ciRules.ts";
import { confinementRule } from "./member/confinementRules.ts";
import {
  archiveRule,
  keptBucketRule,
  keptEntryRule,
  leaverKeyRule,
  removeNowRule,
  sameSubjectRule,
} from "./member/leaverRules.ts";
import { lengthRule, listRule, nestedRule } from "./member/list.ts";
import { limitsRule } from "./member/quotas.ts";
import { groupRule, labelRule, nameRule, subjectRule, typeRule } from "./member/rules.ts";
import { metadataRule } from "./network.ts";
import { notifyRule } from "./notify.ts";
import { givenRule } from "./objects/givenRules.ts";
import { objectKindRule } from "./objects/kindProblem.ts";
import { objectRule } from "./objects/objects.ts";
import { oidcRule } from "./oidc.ts";
import { hostRule, ownHostRule } from "./route/hosts.ts";
import { loginSubjectRule, signInRule } from "./route/loginRules.ts";
import { pathRule } from "./route/paths.ts";
import { routeRule } from "./route/rules.ts";
import type { Rule } from "./rule.ts";
import { stackRule } from "./shards.ts";
import { staffRule } from "./staff.ts";
import { starterRule } from "./starter.ts";
import { bucketKeyRule } from "./storage/bucketKeys.ts";
import { bucketRule } from "./storage/bucketRules.ts";
import { plainTextRule, storageRule } from "./storage/storage.ts";

/**
 * All rules of a configuration beyond its schema. All are asked, so that all mistakes are told at once; of two mistakes
 * of one value, the rule that is first here is told first.
 */
export const rules: readonly Rule[] = [
  // Every object of the stack has the stack's name in a label.
  stackRule,
  // Settings in a map below `kubecamp` are read by nobody.
  nestedRule,
  // Members are listed here or in a file; with both or neither, nobody knows who leaves.
  listRule,
  // Pulumi hands the configuration over in one environment variable.
  lengthRule,
  // A controller or Gateway would ignore what it does not support.
  routeRule,
  // An issuer without a client, or one claim for two things, lets nobody in.
  oidcRule,
  // A member's name is a namespace, part of host names, and theirs alone.
  nameRule,
  // Two members with one subject would be one user.
  subjectRule,
  // The cluster's own groups are nobody's.
  groupRule,
  // A type that is not there has no rights.
  typeRule,
  // Commands would not know whom a selector fits.
  labelRule,
  // Nor which labels the cluster has.
  onClusterRule,
  // Who edits the members file alone must not reach the nodes' credentials.
  metadataRule,
  // DNS and certificates have longest names.
  hostRule,
  // A certificate on a shared host would be one member's.
  ownHostRule,
  // A request for one member's path must not reach another's.
  pathRule,
  // The proxy lets a member in by their email address.
  loginSubjectRule,
  // A member's Service at the sign-in page could read passwords.
  signInRule,
  // With a default above the maximum, no container fits.
  limitsRule,
  // Quotas above the cluster's capacity promise what it has not.
  capacityRule,
  // A budget bounds the quotas of its members.
  budgetRule,
  // Staff are one person or group each, whom the API server knows by that name.
  staffRule,
  // A CI job opens one namespace, and could not pass for a person.
  ciRule,
  // Only a quota counts devices and classes, and only taints keep others off a pool.
  confinementRule,
  // A starter app must fit into the quota and speak the controller's protocol.
  starterRule,
  // An S3 server and a COSI driver have settings of their own.
  storageRule,
  // Who reads the file, or its history, could use a key in plain text.
  plainTextRule,
  // A password must not cross the network unencrypted.
  notifyRule,
  // The board shows all members, so it needs a login, and a host of its own.
  boardRule,
  // A bucket needs a server and keys, and is one member's.
  bucketRule,
  // Keys without a member still open something on the server.
  bucketKeyRule,
  // Keys of a member in grace stay closed only while the settings have them.
  leaverKeyRule,
  // Some kinds' controllers give rights, room or paths.
  objectKindRule,
  // Manifests are for a member's own namespace, whoever gets them.
  objectRule,
  // A member in the list can't also be removed.
  removeNowRule,
  // The entry is kept in an annotation, which has a longest text.
  keptEntryRule,
  // A new person must not get what the one before them has left.
  sameSubjectRule,
  // An archive needs a server, and a bucket that no member can write to.
  archiveRule,
  // Two resources would make one bucket, and each give it to its own member.
  keptBucketRule,
  // With its placeholders filled in, an object must stay within its member's environment.
  givenRule,
];
