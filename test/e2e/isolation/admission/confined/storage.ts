import { type Attempt, claimSpec, create, inside, refused } from "../../hostile/attempt.ts";
import { policy } from "./attempt.ts";

export const claims = inside("ann", "persistentvolumeclaims");
export const claim = (name: string, spec: object, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: claimSpec(spec, "1Gi"),
});
const makes = (spec: object, annotations?: object) => create(claims, claim("a", spec, annotations));

/** Storage that ann may not have. */
export const storage: readonly Attempt[] = [
  [
    "refuses a StorageClass that the type does not name",
    makes({ storageClassName: "slow" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the StorageClass 'slow', its own or the default, which namespace 'ann' may not use: set storageClassName to fast, or ask platform@example.org",
    ),
  ],
  ...refused(policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'bulk'"), {
    "refuses a StorageClass of which the type has nothing": makes({ storageClassName: "bulk" }),
  }),
  ...refused(policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"), {
    "refuses the default StorageClass, by naming none": makes({}),
    "refuses another StorageClass by the annotation of long ago": makes(
      { storageClassName: "fast" },
      { "volume.beta.kubernetes.io/storage-class": "slow" },
    ),
  }),
  ...refused(policy("storage", "PersistentVolumeClaim 'a' has no StorageClass"), {
    "refuses a claim for any volume without a StorageClass": makes({ storageClassName: "" }),
  }),
  [
    "refuses a faster volume by a VolumeAttributesClass",
    makes({ storageClassName: "fast", volumeAttributesClassName: "gold" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the VolumeAttributesClass 'gold', and namespace 'ann' may have none: leave volumeAttributesClassName out, or ask platform@example.org",
    ),
  ],
  [
    "refuses a claim for more than the type's share of the StorageClass",
    makes({ storageClassName: "fast", resources: { requests: { storage: "20Gi" } } }),
    /exceeded quota: quota, requested: fast.storageclass.storage.k8s.io\/requests.storage=20Gi/,
  ],
];
