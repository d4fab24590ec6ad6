import type { MemberType } from "../member/types.ts";
import type { Settings } from "../settings.ts";

export const ourPrefix = "kubecamp.dev/";

/** Of a namespace: members' labels that `labels` puts there. No key can then stand for Kubernetes' or kubecamp's own. */
export const memberLabelPrefix = "labels.kubecamp.dev/";

export const memberLabel = "kubecamp.dev/member";
export const stackLabel = "kubecamp.dev/stack";

// Labels of a member's namespace only: lists of members show them, also after a member has left the list.
export const typeLabel = "kubecamp.dev/type";
/** `active`, `asleep`, `suspended` or `expired`. */
export const standingLabel = "kubecamp.dev/standing";
/** Last day of the environment, such as `2026-12-31`; absent without one. */
export const expiresLabel = "kubecamp.dev/expires";
/** First day on which a run removes a member who has left the list, such as `2026-12-31`; absent otherwise. */
export const leavesLabel = "kubecamp.dev/leaves";
/** `true` for a member whose removal is refused; absent otherwise. */
export const protectedLabel = "kubecamp.dev/protected";
/** Traits of the member's type that decide which objects exist, as `traitsText` writes them. */
export const traitsLabel = "kubecamp.dev/traits";
/** The port and `requires` of the path, as `443.endpoints`; `none` without a path; absent for the default, `80.service`. */
export const routeLabel = "kubecamp.dev/route";
/** Of a namespace: the member's former stacks, as `prod,prod-1`, whose state may still hold the member's objects. */
export const formerStacksAnnotation = "kubecamp.dev/former-stacks";
/** Of a namespace, not declared: from the member's sleep on, until controllers have been asked to make the pods again. */
export const sleptAnnotation = "kubecamp.dev/slept";
/** Of a namespace, not declared: until when `kubecamp members wake`, or their own ConfigMap, keeps the member awake. */
export const awakeUntilAnnotation = "kubecamp.dev/awake-until";
/** Of a namespace, not declared: when the member woke by themselves (`schedule.wakeFor`), with spaces between. */
export const ownWakesAnnotation = "kubecamp.dev/own-wakes";
/** Annotation by which a run has a controller look at a workload again: the time of that run. */
export const nudgedAnnotation = "kubecamp.dev/nudged";
/** Annotation of a namespace while the member is asleep: since when and until when, as a text. */
export const sleepAnnotation = "kubecamp.dev/sleep";
/** Annotation of a namespace: what the watch has told about the member beforehand, so that it tells nothing twice. */
export const noticesAnnotation = "kubecamp.dev/notices";
/** Of a namespace, by an admin: the stack that may take it over. `adopt` is not enough in a list in a file of its own. */
export const adoptAnnotation = "kubecamp.dev/adopt";
/** `true` for a member whose pods get something filled in that they leave out; absent otherwise. */
export const fillsInLabel = "kubecamp.dev/fills-in";
/** Annotation of an Ingress or HTTPRoute: its address, such as `https://apps.example.org/bob/`. */
export const urlAnnotation = "kubecamp.dev/url";
/** On a starter app's objects: the mode they were made in. On the member's role at home: `made`, once there was one. */
export const starterAnnotation = "kubecamp.dev/starter";
/** Annotation of that role: the image of a starter app made `once`. The image stays allowed. */
export const starterImageAnnotation = "kubecamp.dev/starter-image";
/** Of that role, which fewer people may read than a namespace: subjects to bind again later, as `User oidc:bob`, one a line. */
export const suspendedSubjectsAnnotation = "kubecamp.dev/suspended-subjects";
/** Of that role: the member's entry as JSON, with the person's subject, for the time after they leave the list. */
export const entryAnnotation = "kubecamp.dev/entry";
/** Of a binding of staff: whose access ends, as `group oidc:ta-cs101 until 2026-12-20, exam week`, one a line. */
export const staffUntilAnnotation = "kubecamp.dev/staff-until";
/** Of the namespace of somebody who left: a verified archive, as JSON (`ArchiveMark`), or empty. On a snapshot: `volume`. */
export const archiveAnnotation = "kubecamp.dev/archive";
/** Label of the objects that come with a bucket; the value is the bucket's name in the settings. */
export const bucketLabel = "kubecamp.dev/bucket";
/** Annotation of a namespace: the member's buckets on the stack's server, as `bob-data,bob-site`. */
export const bucketsAnnotation = "kubecamp.dev/buckets";
/** On an object of `objects`: `true`, or `theirs` if it is the member's own from the first run on. */
export const objectLabel = "kubecamp.dev/object";
/** Of the role at home: objects given as the member's own, as `configmaps/course,deployments/tutor`, never made again. */
export const givenAwayAnnotation = "kubecamp.dev/given-away";
/** Of a copy: its original, as `platform/registry@123`, which shows a change without the content, which may be secret. */
export const copiedAnnotation = "kubecamp.dev/copied";
/** Of a namespace: the platform's objects in it, as `configmaps/course,deployments/tutor`, which admission guards. */
export const objectsAnnotation = "kubecamp.dev/objects";
/** Of the Secret and the ConfigMap for a bucket: the endpoint for apps. */
export const endpointAnnotation = "kubecamp.dev/endpoint";
/** Of the Secret for a bucket: the access key, if the settings have it. */
export const accessKeyAnnotation = "kubecamp.dev/access-key";
/** Annotation with the time of the run that made a member's Service; it differs each time the Service is recreated. */
export const madeAnnotation = "kubecamp.dev/made";
/** Annotation of a starter app's pods: a digest of the pages, so that a change of pages replaces the pods. */
export const pagesAnnotation = "kubecamp.dev/pages";
/** Reveals changes by hand: a digest of the declared object, and the resourceVersion of the one that was overwritten. */
export const appliedAnnotation = "kubecamp.dev/applied";
/** Of a namespace and the stack's first ClusterRole: a digest of settings that no object shows, from the last whole run. */
export const unseenAnnotation = "kubecamp.dev/unseen";
/** Of a route that this run vetoes: the change makes Pulumi try a route already in its state, and that fails. */
export const vetoAnnotation = "kubecamp.dev/veto";

/** On a ClusterRoleBinding to everybody who signs in: why they may have what it gives, for `kubecamp verify`. */
export const acceptedAnnotation = "kubecamp.dev/accepted";
/** On what `kubecamp verify` makes for a while: the stack. Its members have no `kubecamp.dev/member`, so that no list shows them. */
export const verifyLabel = "kubecamp.dev/verify";
/** Of a namespace of `kubecamp verify`: when it is nobody's unless that is renewed, as `2026-12-31T12:00:00.000Z`. */
export const verifyUntilAnnotation = "kubecamp.dev/verify-until";
/** Of a namespace of `kubecamp verify`: which verification made it. */
export const verifyRunAnnotation = "kubecamp.dev/verify-run";
/** Of a namespace of `kubecamp verify`: its objects elsewhere, as `ClusterRoleBinding x`, one a line. */
export const verifyOutsideAnnotation = "kubecamp.dev/verify-outside";

/** @see https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */
export function stackLabels({ stack }: Pick<Settings, "stack">) {
  return {
    "app.kubernetes.io/managed-by": "kubecamp",
    "app.kubernetes.io/part-of": "kubecamp",
    [stackLabel]: stack,
  };
}

// Annotations of a member's namespace that admission policies read. Only who may write the namespace can change them.

/** Allowed images as in the settings, one a line. */
export const imagesAnnotation = "kubecamp.dev/images";
/** Rules made from the images (`imageRules`); absent if every image is allowed. */
export const imageRulesAnnotation = "kubecamp.dev/image-rules";
/** Names with commas between them; empty if pods may name none. */
export const priorityClassesAnnotation = "kubecamp.dev/priority-classes";
/** Most pods that one object may ask for. */
export const maxPodsAnnotation = "kubecamp.dev/max-pods";
/** Names with commas between them; absent if any may be used. */
export const devicesAnnotation = "kubecamp.dev/devices";
/** Names with commas between them; absent if any may be used. */
export const storageClassesAnnotation = "kubecamp.dev/storage-classes";
/** Names with commas between them; absent if any may be used. */
export const runtimeClassesAnnotation = "kubecamp.dev/runtime-classes";
/** Of these, the one for pods that name none. */
export const defaultRuntimeClassAnnotation = "kubecamp.dev/default-runtime-class";
/** Name of the pool that the member's pods run on. */
export const poolAnnotation = "kubecamp.dev/pool";
/** `required`, or absent. */
export const userNamespacesAnnotation = "kubecamp.dev/user-namespaces";

/** Value of `traitsLabel`, such as `edit.view.quota`: role at home, role elsewhere, `quota` or `free`. */
export const traitsText = ({ home, others, quota }: MemberType) => [home, others, quota ? "quota" : "free"].join(".");

/** Labels of every object of a member. Never `app.kubernetes.io/instance`, by which Argo CD may take it for its own. */
export const memberLabels = (member: { readonly name: string }, settings: Pick<Settings, "stack">) => ({
  ...stackLabels(settings),
  [memberLabel]: member.name,
});
