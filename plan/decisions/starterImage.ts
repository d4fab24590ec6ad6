import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { imagesWith } from "../../config/images.ts";
import type { Member } from "../../config/member/member.ts";
import { starterImageAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { recordedOnRoles } from "../live/owner.ts";
import type { StarterPlan } from "./starterPlan.ts";

/**
 * The image that a member's `once` starter app was made with. It keeps that whatever the settings become: only the member
 * changes it. Their Role records it, which they can't write. Undefined for a member without one, or with a `kept` app.
 */
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
