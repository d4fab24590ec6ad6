import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { imagesWith } from "../../config/images.ts";
import type { Member } from "../../config/member/member.ts";
import { starterImageAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { recordedOnRoles } from "../live/owner.ts";
import type { StarterPlan } from "./starterPlan.ts";

/** A member's `once` app keeps the image that it was made with, whatever the settings become. Their Role records it. */
export function starterImageOf(
  member: Member,
  starter: StarterPlan | undefined,
  settings: Pick<Settings, "starter">,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): string | undefined {
  const [known] = recordedOnRoles(member, starterImageAnnotation, snapshot);
  if (member.starter === undefined) {
    return known;
  }
  const { mode, marks } = starter ?? { mode: "kept", marks: false };
  return mode === "once" && marks ? (known ?? settings.starter.image) : undefined;
}

/** The member with that image on their list, so that the app's pods are admitted whenever they are recreated. */
export function withImage<T extends Pick<Member, "images">>(member: T, image: string | undefined): T {
  return member.images === undefined || image === undefined
    ? member
    : { ...member, images: imagesWith(member.images, image) };
}
