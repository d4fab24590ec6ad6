import type { MemberType, Settings } from "../config/model/settings.ts";

/** What all labels and annotations begin with by which kubecamp goes. */
export const ourPrefix = "kubecamp.dev/";

/** The label whose value tells which member an object belongs to. */
export const memberLabel = "kubecamp.dev/member";
/** The label whose value tells which stack an object belongs to. */
export const stackLabel = "kubecamp.dev/stack";

/** Labels of a member's namespace alone: what lists of members show, and what must be known of those who have left the list. */
export const typeLabel = "kubecamp.dev/type";
/** `active`, `suspended` or `expired`. */
export const standingLabel = "kubecamp.dev/standing";
/** The last day, such as `2026-12-31`; absent without one. */
export const expiresLabel = "kubecamp.dev/expires";
/** `true` for a member whose removal is refused; absent otherwise. */
export const protectedLabel = "kubecamp.dev/protected";
/** What of the type, and of what the member has otherwise, decides which objects there are. */
export const traitsLabel = "kubecamp.dev/traits";
/** `none` for a member who is to have no public path; absent otherwise. */
export const routeLabel = "kubecamp.dev/route";
/** The annotation of a namespace with the stacks that its member has lived in before, as `prod,prod-1`: an old state may have them. */
export const formerStacksAnnotation = "kubecamp.dev/former-stacks";
/** The annotation of an Ingress or HTTPRoute that says where it can be reached, such as `https://apps.example.org/bob/`. */
export const urlAnnotation = "kubecamp.dev/url";
/**
 * Of a starter app's objects: `once` or `kept`, as whichever of the two they were made. Of the role that a member has at
 * home: `made`, once a starter app has been made for them.
 */
export const starterAnnotation = "kubecamp.dev/starter";
/** The annotation of that role with the image that it was made once with, which stays allowed. */
export const starterImageAnnotation = "kubecamp.dev/starter-image";
/**
 * The annotation of that role with whom it will be bound to once its member is suspended or expired no more, one a line, such as
 * `User oidc:bob`; absent of who is active. Nobody else may read it, unlike what stands on a namespace.
 */
export const suspendedSubjectsAnnotation = "kubecamp.dev/suspended-subjects";
/** The label of what says how a member's bucket is reached; its value is what the settings call the bucket. */
export const bucketLabel = "kubecamp.dev/bucket";
/** The annotation of a namespace with the names of its member's buckets on the stack's server, as `bob-data,bob-site`. */
export const bucketsAnnotation = "kubecamp.dev/buckets";
/** Annotations of what says how one is reached: where apps reach the bucket, and what access key they were given, if it was not made. */
export const endpointAnnotation = "kubecamp.dev/endpoint";
export const accessKeyAnnotation = "kubecamp.dev/access-key";
/** The annotation with the time of the run that made a member's Service; each time it is made anew has another. */
export const madeAnnotation = "kubecamp.dev/made";
/** The annotation of a starter app's pods with a digest of the pages: they are made anew when it changes. */
export const pagesAnnotation = "kubecamp.dev/pages";
/**
 * The annotation by which an object is told from what was made of it by hand: a digest of what we declared, and the
 * resourceVersion of the live object that was written over, if there was one.
 */
export const appliedAnnotation = "kubecamp.dev/applied";
/** The annotation of a route that the run has vetoed, so that even one which Pulumi's state has is tried, and fails. */
export const vetoAnnotation = "kubecamp.dev/veto";

/**
 * Labels of every object of a stack.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 */
export function stackLabels({ stack }: Pick<Settings, "stack">) {
  return {
    "app.kubernetes.io/managed-by": "kubecamp",
    "app.kubernetes.io/part-of": "kubecamp",
    [stackLabel]: stack,
  };
}

/**
 * Annotations of a member's namespace that its admission policies read: whoever can't write the namespace can't change
 * them. Allowed images as the settings have them, one a line; the rules that these come to, which are absent where any image
 * is allowed; the names of PriorityClasses, with a comma between them; and how many pods one object may ask for.
 */
export const imagesAnnotation = "kubecamp.dev/images";
export const imageRulesAnnotation = "kubecamp.dev/image-rules";
export const priorityClassesAnnotation = "kubecamp.dev/priority-classes";
export const maxPodsAnnotation = "kubecamp.dev/max-pods";

/** The value of that label, such as `edit.view.quota`: role at home, view of others, and whether there is a quota. */
export const traitsText = ({ home, others, quota }: MemberType) => [home, others, quota ? "quota" : "free"].join(".");

/** Labels of every object of a member. */
export function memberLabels(member: { readonly name: string }, settings: Pick<Settings, "stack">) {
  return {
    ...stackLabels(settings),
    "app.kubernetes.io/instance": member.name,
    [memberLabel]: member.name,
  };
}
