import { compare } from "../../cluster/kinds/compare.ts";
import { type ClusterSnapshot, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfRoute } from "../../naming/logicalNames.ts";
import { type Classified, classify } from "../compare/classify.ts";
import { whoseOf } from "../compare/foreign.ts";
import { isUnread } from "../decisions/unread/unread.ts";
import { factsOf } from "./facts.ts";
import { isLeft, isRead, memberObjects, sharedObjects } from "./manifest.ts";
import type { ReadObject } from "./row.ts";

/** The policies that judge what is asked for in members' namespaces, and what puts each in force. */
export const policyObjectsOf = (settings: Settings): ReadObject[] =>
  sharedObjects(settings)
    .filter(isRead)
    .filter(({ part }) => part.startsWith("access/admission/"))
    .sort((a, b) => compare(a.name, b.name));

/** What a member's route consists of when it is open, each object after those that it refers to. */
export const routeObjectsOf = (member: Member, settings: Settings): ReadObject[] =>
  memberObjects({ member, settings, isOpen: true }).filter(isRead).filter(isOfRoute);

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/** What the program registers for a member in this run, and how it stands; its route only when that is open. */
export const classifiedOf = (member: Member, settings: Settings, snapshot: Live): Classified<ReadObject>[] =>
  memberObjects(factsOf(member, settings, snapshot))
    .filter(isRead)
    .map((object) => {
      const live = liveOf(object, snapshot);
      return classify(object, live, {
        isUnread: isUnread(object.kind, snapshot),
        ...(live === undefined ? {} : { whose: whoseOf(object, live, member, settings) }),
        adopts: member.adopt,
      });
    });

/** All of it that a run declares, and does not leave as it stands. */
export const objectsOf = (member: Member, settings: Settings, snapshot: Live): ReadObject[] =>
  memberObjects(factsOf(member, settings, snapshot))
    .filter(isRead)
    .filter((object) => !isLeft(object));
