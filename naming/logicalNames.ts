type Named = { readonly name: string };

/** What follows `<member>/starter/` in the names of what a starter app is made of, beside the Service; none ever changes. */
export type StarterPart = "pages" | "deployment";

/** What a bucket comes with beside itself; none ever changes. */
export type BucketPart = "secret" | "config" | "claim" | "access";

/**
 * Names by which Pulumi's state knows a member's resources, where something else than the resource itself goes by them.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#logicalname
 */
export const logicalNames = {
  namespace: ({ name }: Named) => `${name}/namespace`,
  /** The Service that kubecamp makes in their namespace. */
  service: ({ name }: Named) => `${name}/service`,
  /** One of what their starter app is made of. */
  starter: ({ name }: Named, part: StarterPart) => `${name}/starter/${part}`,
  /** A bucket of theirs, by what the settings call it. */
  bucket: ({ name }: Named, bucket: string) => `${name}/bucket/${bucket}`,
  /** One of what comes with it. */
  bucketPart: ({ name }: Named, bucket: string, part: BucketPart) => `${name}/bucket/${bucket}/${part}`,
  /** Whoever they are on the server of their buckets. */
  bucketUser: ({ name }: Named) => `${name}/bucket-user`,
  /** One of what their open route is made of. */
  route: ({ name }: Named, part: string) => `${name}/route/${part}`,
};

type Part = { readonly part: string };

/** What an object is a part of, by its part: what follows the member's name and a slash in its logical name. */
export const isOfRoute = ({ part }: Part): boolean => part.startsWith("route/");
/** The app itself: the Service beside it is `service`, whoever made that. */
export const isOfStarterApp = ({ part }: Part): boolean => part.startsWith("starter/");
/** The bucket itself, on a server of kubecamp's, or what comes with it. */
export const isOfBucket = ({ part }: Part): boolean => part.startsWith("bucket/");

/** What Pulumi asks before it makes what opens a member's path; its state has the name with each of these. */
export const routeHookName = "kubecamp/route";

/** What Pulumi asks before it writes an Ingress that gets another's path; its state has the name until the next run. */
export const handoverHookName = "kubecamp/handover";
